(function () {
  'use strict';

  // Tables: a click on a heading sorts, another one turns the order.
  document.querySelectorAll('table.data').forEach(function (table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      // No button element: Chromium would not repeat the heading on each page of paper.
      var button = document.createElement('span');
      button.setAttribute('role', 'button');
      button.tabIndex = 0;
      button.textContent = head.textContent;
      head.textContent = '';
      head.appendChild(button);
      button.addEventListener('keydown', function (event) {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          button.click();
        }
      });
      button.addEventListener('click', function () {
        var descending = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
        sort(table.tBodies[0], column, descending ? -1 : 1);
      });
    });
  });

  function sort(body, column, sign) {
    var rows = Array.prototype.map.call(body.rows, function (row, at) {
      var cell = row.cells[column];
      var order = cell.getAttribute('data-sort');
      return { row: row, at: at, order: order === null ? cell.textContent : Number(order) };
    });
    rows.sort(function (a, b) {
      return (a.order < b.order ? -sign : a.order > b.order ? sign : 0) || a.at - b.at;
    });
    rows.forEach(function (entry) { body.appendChild(entry.row); });
  }

  // Channels: the rows of the table are what the drawing can show, in the order in which they stand.
  document.querySelectorAll('.stepper').forEach(function (stepper) {
    var drawing = stepper.querySelector('.drawing');
    var status = stepper.querySelector('.status');
    var body = stepper.querySelector('table.data').tBodies[0];
    var controls = stepper.querySelector('.controls');
    var shown = null;
    if (body.rows.length === 0) { return; }
    controls.hidden = false;
    stepper.classList.add('live');
    drawing.querySelectorAll('[data-place]').forEach(function (text) {
      text.setAttribute('data-plain', text.textContent);
    });

    function words(row, name) {
      var value = row.getAttribute(name);
      return value ? value.split(' ') : [];
    }

    function turnOn(selector) {
      var part = drawing.querySelector(selector);
      if (part) { part.classList.add('on'); }
    }

    function show(row) {
      drawing.querySelectorAll('.on').forEach(function (part) { part.classList.remove('on'); });
      drawing.querySelectorAll('[data-place]').forEach(function (text) {
        text.textContent = text.getAttribute('data-plain');
      });
      if (shown) { shown.removeAttribute('aria-current'); }
      shown = row;
      stepper.classList.toggle('stepping', row !== null);
      status.textContent = status.getAttribute('data-plain');
      if (row) {
        row.setAttribute('aria-current', 'true');
        words(row, 'data-flows').forEach(function (flow) {
          turnOn('[data-flow="' + flow + '"]');
          turnOn('[data-line="' + parseInt(flow, 10) + '"]');
        });
        words(row, 'data-fulls').forEach(function (line) {
          turnOn('[data-full="' + line + '"]');
          turnOn('[data-line="' + line + '"]');
        });
        (row.getAttribute('data-places') || '').split(';').forEach(function (entry) {
          var at = entry.indexOf('=');
          var text = drawing.querySelector('[data-place="' + entry.slice(0, at) + '"]');
          if (text) { text.textContent = entry.slice(at + 1); }
        });
        status.textContent = row.getAttribute('data-title');
      }
      controls.querySelectorAll('[data-graph]').forEach(function (button) {
        var graph = row ? row.getAttribute('data-graph') : '';
        button.setAttribute('aria-pressed', String(button.getAttribute('data-graph') === graph));
      });
    }

    function step(by) {
      var rows = Array.prototype.slice.call(body.rows);
      var at = shown ? rows.indexOf(shown) + by : by > 0 ? 0 : rows.length - 1;
      show(rows[(at + rows.length) % rows.length]);
    }

    controls.addEventListener('click', function (event) {
      var button = event.target.closest('button');
      if (!button) { return; }
      if (button.hasAttribute('data-graph')) {
        show(body.querySelector('[data-graph="' + button.getAttribute('data-graph') + '"]'));
      } else if (button.getAttribute('data-step') === '0') {
        show(null);
      } else {
        step(Number(button.getAttribute('data-step')));
      }
    });
    controls.addEventListener('keydown', function (event) {
      if (event.altKey || event.ctrlKey || event.metaKey) { return; }
      if (event.key === 'ArrowRight') { step(1); }
      else if (event.key === 'ArrowLeft') { step(-1); }
      else if (event.key === 'Escape') { show(null); }
      else { return; }
      event.preventDefault();
    });
    body.addEventListener('click', function (event) {
      var row = event.target.closest('tr');
      if (row && String(window.getSelection()) === '') { show(row === shown ? null : row); }
    });
  });
})();
