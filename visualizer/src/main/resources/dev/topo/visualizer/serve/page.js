// The page shows what the server answers and computes nothing itself. Its state is the form and the list of
// edits; the same fields are sent as a question and written into the fragment of the address.

const $ = (id) => document.getElementById(id);
const body = document.body;
const drawing = $('drawing');
const controls = [...document.querySelectorAll('[data-name]')];
const DEBOUNCE_MS = 150;
/** How often the server is asked what it does for a question that takes longer than this. */
const WATCH_MS = 500;
/** Less is a click by an unsteady hand. */
const DRAG_PIXELS = 6;
const PLAY_MS = 900;
/** Not in the storage: a duplicated tab has a copy of that, and would cancel the questions of the first. */
const tab = crypto.randomUUID();

let token = '';
let edits = [];
/** The edits with those that have no answer yet; they join the list when they have one. */
let tried = null;
let past = [];
let future = [];
let parts = new Map();
/** The question of the answer that is shown. */
let shown = null;
let running = null;
let memoryRunning = null;
let timer = 0;
let opener = null;
/** The name of the part whose facts are shown. */
let shownPart;
let drag = null;
/** The rows of the curve. */
let curve = { rows: [], isEdited: false, isMarked: false };
let zoomed = 1;
let playing = 0;

function make(name, text = '', attributes = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
}

function button(text, label, onClick) {
  const made = make('button', text, { type: 'button', 'aria-label': label });
  made.addEventListener('click', onClick);
  return made;
}

const option = (select, value, text) => select.append(make('option', text, { value }));

// State: fields, fragment, undo.

const others = () => [...$('others').querySelectorAll('.row')].map((row) => ({ machine: row.querySelector('select'), count: row.querySelector('input') }));
const settings = () => [...$('settings').querySelectorAll('input')];

/** The fields of the question about a list of edits; blank ones are left to the server's defaults. */
function fields(list = edits) {
  const form = new URLSearchParams();
  const add = (name, value) => value.trim() && form.append(name, value.trim());
  const needed = { channel: 'graph', communicator: 'split' };
  controls.filter((one) => !needed[one.id] || $(needed[one.id]).value.trim()).forEach((one) => add(one.dataset.name, one.value));
  others().filter((row) => row.machine.value).forEach((row) => add('other', row.machine.value + '*' + row.count.value));
  settings().forEach((input) => add('env', input.value));
  list.forEach((edit) => add('edit', edit));
  if ($('memory').open) { add('memory', 'shown'); }
  return form;
}

/** The token comes first, so that what follows it is the state. */
const writeAddress = (form) => history.replaceState(null, '', '#token=' + encodeURIComponent(token) + '&' + form);

function readAddress() {
  const form = new URLSearchParams(location.hash.slice(1));
  token = form.get('token') || token || window.sessionStorage.getItem('topo-token') || '';
  window.sessionStorage.setItem('topo-token', token);
  return form;
}

/** Shows also a value that the server does not offer, so that its error is about what is seen. */
function choose(control, stated) {
  const options = control.options && [...control.options].map((one) => one.value);
  const value = stated ?? control.dataset.usual ?? (options ? options[0] : control.defaultValue);
  if (options && !options.includes(value)) { option(control, value, value + ' (unknown here)'); }
  control.value = value;
}

function restore(form) {
  controls.forEach((one) => choose(one, form.get(one.dataset.name)));
  $('settings').querySelectorAll('.row').forEach((row) => row.remove());
  [...form.getAll('env'), ''].forEach(addSetting);
  $('others').querySelectorAll('.row').forEach((row) => row.remove());
  [...form.getAll('other'), ''].forEach(addOther);
  [edits, past, future, tried] = [form.getAll('edit'), [], [], null];
  $('memory').open = form.has('memory');
  showEdits();
  describeMachine();
}

function step(kept, list) {
  tried = null;
  kept.push(edits);
  edits = list;
  showEdits();
  ask();
}

function setEdits(list) {
  future = [];
  step(past, list);
}

function tryEdit(edit) {
  tried = [...(tried || edits), edit];
  ask();
}

/** The tried edits have an answer. */
function keepTried(list) {
  if (list === edits) { return; }
  if (list.slice(edits.length).includes($('edit-text').value.trim())) { $('edit-text').value = ''; }
  [future, tried] = [[], null];
  past.push(edits);
  edits = list;
  showEdits();
}

/** A state that came by a link has no past: its last edit goes first. */
function undo() {
  if (past.length || edits.length) { step(future, past.length ? past.pop() : edits.slice(0, -1)); }
}

function redo() {
  if (future.length) { step(past, future.pop()); }
}

function showEdits() {
  const focused = document.activeElement;
  $('edits').replaceChildren(...edits.map(editItem));
  $('no-edits').hidden = edits.length > 0;
  $('undo').disabled = !past.length && !edits.length;
  $('redo').disabled = !future.length;
  if (focused.disabled) { (focused === $('undo') ? $('redo') : $('undo')).focus(); }
}

function editItem(edit, at) {
  const item = make('li');
  item.append(make('code', edit), button('×', 'Remove the edit ' + edit, () => {
    setEdits(edits.filter((_, other) => other !== at));
    ($('edits').querySelectorAll('button')[Math.min(at, edits.length - 1)] || $('edit-text')).focus();
  }));
  return item;
}

function addTypedEdit() {
  const text = $('edit-text').value.trim();
  if (text) { tryEdit(text); }
}

/** The last setting is always a blank one to fill. */
function addSetting(text) {
  const row = make('div', '', { class: 'row' });
  const input = make('input', '', { type: 'text', list: 'setting-names', 'aria-label': 'NCCL setting', spellcheck: 'false', placeholder: 'NAME=VALUE' });
  const remove = button('Remove', 'Remove this setting', () => {
    row.remove();
    settings().at(-1).focus();
    ask();
  });
  input.value = text;
  remove.hidden = !text;
  input.addEventListener('input', () => {
    remove.hidden = false;
    if (settings().at(-1) === input) { addSetting(''); }
  });
  row.append(input, remove);
  $('settings').append(row);
}

/** The last machine is always a blank one to choose. */
function addOther(text) {
  const [id, number] = text.split('*');
  const row = make('div', '', { class: 'row' });
  const machine = make('select', '', { 'aria-label': 'Other machine of the job' });
  const count = make('input', '', { type: 'text', inputmode: 'numeric', 'aria-label': 'Nodes of the other machine' });
  option(machine, '', 'none');
  [...$('machine').querySelectorAll('option')].forEach((one) => option(machine, one.value, one.textContent));
  choose(machine, id);
  count.value = number || '1';
  count.hidden = !id;
  machine.addEventListener('change', () => {
    count.hidden = !machine.value;
    if (machine.value && others().at(-1).machine === machine) { addOther(''); }
    if (!machine.value && others().length > 1) {
      row.remove();
      others().at(-1).machine.focus();
    }
    ask();
  });
  count.addEventListener('input', askLater);
  row.append(machine, count);
  $('others').append(row);
}

// Requests.

class Refusal extends Error {
  constructor(message, field = undefined, status = undefined) {
    super(message);
    this.field = field;
    this.status = status;
  }
}

async function request(path, init = {}) {
  const response = await fetch(path, { ...init, headers: { ...init.headers, 'X-Topo-Token': token } }).catch(() => {
    throw new Refusal('The server does not answer; is topo serve still running?');
  });
  if (response.ok) { return response; }
  const refused = await response.json().catch(() => ({}));
  throw new Refusal(refused.error || 'The server answered with status ' + response.status, refused.field, response.status);
}

/** The browser writes the content type of a form for URLSearchParams. */
const post = (path, form, signal = undefined) => request(path, { method: 'POST', body: form, headers: { 'X-Topo-Tab': tab }, signal });

function setState(state, text) {
  const isFocused = [$('cancel'), $('again')].includes(document.activeElement);
  body.dataset.state = state;
  $('status').textContent = text;
  $('cancel').hidden = state !== 'asking';
  $('again').hidden = state !== 'failed';
  $('answer').setAttribute('aria-busy', String(state === 'asking'));
  if (isFocused) { ({ asking: $('cancel'), failed: $('again') }[state] || drawing).focus(); }
}

/** The questions before are not of this state any more. */
function wait(text) {
  clearTimeout(timer);
  running?.abort();
  memoryRunning?.abort();
  running = null;
  setState('asking', text);
}

function askLater() {
  wait('asking …');
  timer = setTimeout(ask, DEBOUNCE_MS);
}

/** Says what the server does for a question, and for how long, while it does. */
async function watch(mine, start) {
  const isAsked = () => running === mine && body.dataset.state === 'asking';
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, WATCH_MS); });
    if (!isAsked()) { return; }
    const stage = await request('/api/stage', { headers: { 'X-Topo-Tab': tab } }).then((response) => response.text()).catch(() => '');
    if (isAsked()) { $('status').textContent = (stage || 'asking') + ' … ' + Math.round((performance.now() - start) / 1000) + ' s'; }
  }
}

async function ask() {
  const list = tried || edits;
  wait('asking …');
  const mine = new AbortController();
  running = mine;
  const form = fields(list);
  const start = performance.now();
  if (list === edits) { writeAddress(form); }
  watch(mine, start);
  try {
    const answer = await (await post('/api/answer', form, mine.signal)).json();
    if (running !== mine) { return; }
    keepTried(list);
    writeAddress(form);
    show(answer, form);
    body.dataset.answers = Number(body.dataset.answers) + 1;
    setState('answered', 'answered in ' + Math.round(performance.now() - start) + ' ms');
    askMemory();
  } catch (error) {
    // An older question ends with 409 or an abort: only the newest one may report. It has 409 itself where the server got
    // an older one of this tab after it.
    if (running !== mine) { return; }
    if (error.status === 409) { ask(); } else { fail(error); }
    // What is shown stays the answer to the fields, without the edit that was refused.
    if (error.status !== 409 && list !== edits && error.field === 'edit' && String(shown) === String(fields())) {
      $('stale').hidden = true;
      setState('answered', 'the edit is refused');
    }
  }
}

/** The server does not see that a browser stops waiting. */
function cancel() {
  wait('');
  post('/api/cancel', '').catch(() => {});
  fail(new Refusal('Cancelled.'));
}

// Errors.

function clearErrors() {
  document.querySelectorAll('.field-wrong').forEach((one) => one.remove());
  document.querySelectorAll('[aria-invalid]').forEach((one) => {
    one.removeAttribute('aria-invalid');
    one.setAttribute('aria-describedby', (one.getAttribute('aria-describedby') || '').replace(/ ?field-wrong/, ''));
  });
  $('error').textContent = '';
  $('error').hidden = true;
}

function controlsOf(field, message) {
  if (field === 'env') {
    const stated = settings().filter((input) => input.value.trim());
    const named = stated.filter((input) => message.includes(input.value.trim().split('=')[0]));
    return named.length ? named : stated;
  }
  if (field === 'other') { return others().filter((row) => row.machine.value).flatMap((row) => [row.machine, row.count]); }
  return field === 'edit' ? [$('edit-text')] : controls.filter((one) => one.dataset.name === field);
}

function fail(error) {
  tried = null;
  clearErrors();
  const wrong = controlsOf(error.field, error.message);
  wrong.forEach((control) => {
    control.setAttribute('aria-invalid', 'true');
    control.setAttribute('aria-describedby', ((control.getAttribute('aria-describedby') || '') + ' field-wrong').trim());
  });
  if (wrong.length) {
    const place = wrong[0].closest('.field');
    place.after(make('p', error.message, { id: 'field-wrong', class: 'wrong field-wrong control', role: 'alert' }));
  } else {
    $('error').textContent = error.message;
    $('error').hidden = false;
  }
  $('stale').hidden = !shown;
  $('memory-status').textContent = '';
  setState('failed', wrong.length ? 'refused: see the marked field' : 'not answered');
}

// The answer.

function show(answer, form) {
  clearErrors();
  $('stale').hidden = true;
  shown = form;
  parts = new Map((answer.parts || []).map((part) => [part.id, part]));
  document.title = answer.machine + ' · topo serve';
  $('title').textContent = answer.machine;
  showCommunicators(answer);
  showDrawing(answer.drawing);
  showGraphs(answer.graphs || []);
  $('verdict').textContent = answer.answer;
  showFacts(form, answer);
  showRows(answer.rows || [], (answer.edits || []).length > 0);
  curve = { rows: answer.rows || [], isEdited: (answer.edits || []).length > 0, isMarked: (answer.limits || []).length > 0 };
  showCurve();
  markLimits(answer.limits || []);
  $('command').textContent = answer.equalCommand;
  $('command-block').hidden = !answer.equalCommand;
  const notes = [...(answer.notes || []), ...(answer.caveats || [])];
  $('notes').replaceChildren(...notes.map((note) => make('li', note.message ?? note)));
  $('notes-block').hidden = !notes.length;
}

/** Equal communicators of a split are one entry; the answer is about the chosen one. */
function showCommunicators({ communicators = [], communicator }) {
  const isSplit = Boolean(shown.get('split'));
  $('communicator').replaceChildren();
  if (!isSplit) { option($('communicator'), '', 'all ranks'); }
  communicators.filter(() => isSplit).forEach(({ label, answer }) => option($('communicator'), label, label + ': ' + answer));
  $('communicator').value = isSplit ? communicator : '';
  $('communicator-field').hidden = !isSplit;
}

function showGraphs(graphs) {
  const chosen = $('graph').value;
  const found = new Map(graphs.map((graph) => [String(graph.kind).toLowerCase().replaceAll('_', '-'), graph.channels]));
  $('graph').replaceChildren();
  option($('graph'), '', 'none');
  found.forEach((channels, kind) => option($('graph'), kind, kind + ', ' + channels + (channels === 1 ? ' channel' : ' channels')));
  if (chosen && !found.has(chosen)) { option($('graph'), chosen, chosen + ', not found by NCCL here'); }
  $('graph').value = chosen;
  const channel = Math.max(0, Math.min($('channel').value, (found.get(chosen) || 1) - 1));
  $('channel').replaceChildren();
  for (let at = 0; at < (found.get(chosen) || 1); at++) { option($('channel'), at, at); }
  $('channel').value = channel;
  $('channel').disabled = !chosen;
  $('play').disabled = !graphs.length;
}

/** Shows the channels of a graph one after the other, of the first graph if none is chosen. */
function togglePlay() {
  clearInterval(playing);
  playing = playing ? 0 : setInterval(nextChannel, PLAY_MS);
  $('play').setAttribute('aria-pressed', String(playing > 0));
  if (playing) { nextChannel(); }
}

function nextChannel() {
  if (body.dataset.state !== 'answered') { return; }
  if ($('graph').value) {
    $('channel').selectedIndex = ($('channel').selectedIndex + 1) % $('channel').options.length;
  } else {
    $('graph').selectedIndex = 1;
  }
  ask();
}

/** The form as text, for paper and the saved page, which have no form. */
function showFacts(form, answer) {
  const labels = { nodes: 'Nodes', domain: 'NVLink domain', other: 'Other machine', split: 'Split', communicator: 'Communicators', editedNodes: 'Edited nodes', release: 'NCCL release', network: 'Network', graph: 'Graph', channel: 'Channel', env: 'Setting' };
  const stated = [...form].filter(([name]) => labels[name]).map(([name, value]) => [labels[name], value]);
  const facts = [['Machine', answer.machine], ...stated, ...(answer.edits || []).map((edit) => ['Edit', edit])];
  $('facts').replaceChildren(...facts.flatMap(([name, value]) => [make('dt', name), make('dd', value)]));
}

function showRows(rows, isEdited) {
  const heads = isEdited ? ['Size', 'Before', 'After', 'Change'] : ['Size', 'Busbw'];
  const head = make('tr');
  head.append(...heads.map((text) => make('th', text, { scope: 'col', class: 'num' })));
  head.append(make('th', 'NCCL runs', { scope: 'col' }), make('td', '', { class: 'action' }));
  const table = $('rows');
  table.replaceChildren(make('caption', (rows[0]?.operation || '') + ', busbw in GB/s', { class: 'unseen' }), make('thead'), make('tbody'));
  table.tHead.append(head);
  table.tBodies[0].append(...rows.map((row) => resultRow(row, isEdited)));
  table.hidden = !rows.length;
}

function resultRow(row, isEdited) {
  const line = make('tr', '', { 'data-bytes': row.bytes });
  const busbw = [row.before ?? 'refused', row.after ?? 'refused'];
  const runs = !isEdited || row.ranBefore === row.runsAfter ? row.runsAfter : row.ranBefore + ' → ' + row.runsAfter;
  const why = make('td', '', { class: 'action' });
  why.append(button('Why', 'Why, at ' + row.size, () => explain(row)));
  line.append(make('th', row.size, { scope: 'row', class: 'num' }));
  line.append(...(isEdited ? [...busbw, row.change] : [busbw[1]]).map((text) => make('td', text, { class: 'num' })));
  line.append(make('td', runs, { class: 'runs' }), why);
  return line;
}

// The curve: sizes on a logarithmic axis, busbw on a linear one, as topo chart has them.

const CURVE = { left: 40, right: 14, top: 24, bottom: 34 };
const SVG = 'http://www.w3.org/2000/svg';

function draw(name, attributes, text = '') {
  const element = document.createElementNS(SVG, name);
  element.textContent = text;
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
}

/** The step of an axis with four or five labels: 1, 2 or 5 times a power of ten. */
function tick(most) {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  return power * [1, 2, 5, 10].find((one) => one * power >= most / 4.5);
}

function showCurve() {
  const { rows, isEdited, isMarked } = curve;
  const known = rows.filter((row) => row.was || row.is);
  const limiting = known.at(-1);
  $('curve').replaceChildren();
  $('curve-head').textContent = (rows[0] ? rows[0].operation + ', busbw' : 'Busbw') + ' in GB/s';
  $('curve-note').textContent = !known.length ? 'No time is predicted of these calls.'
    : !limiting.limit ? '' : (limiting.isOfLinks ? 'Ringed' + (isMarked ? ', here and on the machine' : '') + ': limited by links or ports. ' : '') + limiting.size + ' is limited by ' + limiting.limit + '.';
  if (!known.length) { return; }
  const width = Math.max(280, $('curve').clientWidth);
  const [first, last] = [known[0], known.at(-1)].map((row) => Math.log2(row.bytes));
  const most = Math.max(...known.flatMap((row) => [row.was, row.is]).filter(Boolean).map((one) => one.high ?? one.value)) || 1;
  const unit = tick(most);
  const top = Math.ceil(most / unit) * unit;
  const height = Math.min(width * 1.1, 430);
  const bottom = height - CURVE.bottom;
  const x = (row) => CURVE.left + (last > first ? (Math.log2(row.bytes) - first) / (last - first) : .5) * (width - CURVE.left - CURVE.right);
  const y = (value) => bottom - value / top * (bottom - CURVE.top);
  const svg = draw('svg', { viewBox: '0 0 ' + width + ' ' + height, role: 'img', 'aria-label': $('verdict').textContent });
  for (let value = 0; value <= top * 1.001; value += unit) {
    svg.append(draw('path', { class: 'grid', d: 'M' + CURVE.left + ' ' + y(value) + 'H' + (width - CURVE.right) }),
      draw('text', { x: CURVE.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, Number(value.toPrecision(6))));
  }
  const every = Math.ceil(known.length * 62 / (width - CURVE.left));
  known.filter((_, at) => (known.length - 1 - at) % every === 0).forEach((row) =>
    svg.append(draw('text', { x: x(row), y: bottom + 17, 'text-anchor': 'middle' }, row.size)));
  if (isEdited) { svg.append(...series('before', 'was', known, x, y)); }
  svg.append(...series('after', 'is', known, x, y), ...legend(isEdited));
  known.filter((row) => row.is && row.isOfLinks && row.limit).forEach((row) =>
    svg.append(draw('circle', { class: 'ring', cx: x(row), cy: y(row.is.value), r: 6.5 })));
  $('curve').append(svg);
}

/** The band of ranges, the line and the points of one state; a point alone has a bar. */
function series(name, key, rows, x, y) {
  const timed = rows.filter((row) => row[key]);
  const ranged = timed.filter((row) => row[key].low !== null);
  const path = (list, value) => list.map((row) => x(row) + ' ' + y(value(row[key]))).join('L');
  const band = ranged.length > 1
    ? draw('path', { class: name + ' band', d: 'M' + path(ranged, (one) => one.high) + 'L' + path([...ranged].reverse(), (one) => one.low) + 'Z' })
    : draw('path', { class: name + ' bar', d: ranged.map((row) => 'M' + x(row) + ' ' + y(row[key].low) + 'V' + y(row[key].high)).join('') });
  const line = draw('path', { class: name + ' line', d: timed.length > 1 ? 'M' + path(timed, (one) => one.value) : '' });
  const dots = timed.map((row) => {
    const dot = draw('circle', { class: name + ' dot', cx: x(row), cy: y(row[key].value), r: 3.5 });
    dot.append(draw('title', {}, row.size + ', ' + (key === 'was' ? 'before: ' + row.before : row.after) + ' GB/s' + (row.limit && key === 'is' ? ', limited by ' + row.limit : '')));
    dot.addEventListener('click', () => explain(row));
    return dot;
  });
  return [band, line, ...dots];
}

const legend = (isEdited) => (isEdited ? [['after', 'after'], ['before', 'before']] : [['after', 'predicted']]).flatMap(([name, text], at) => [
  draw('path', { class: name + ' line', d: 'M' + (CURVE.left + 8 + 80 * at) + ' 10h22' }),
  draw('text', { x: CURVE.left + 35 + 80 * at, y: 14 }, text + (isEdited ? '' : ', with its range'))]);

async function explain(row) {
  const form = new URLSearchParams(shown);
  form.append('bytes', row.bytes);
  $('why-title').textContent = row.operation + ' of ' + row.size;
  $('why-text').replaceChildren(make('p', 'asking …'));
  $('why').showModal();
  try {
    const why = await (await post('/api/why', form)).json();
    $('why-title').textContent = why.title;
    const clocks = [['What topo expects', why.expected], ["By NCCL's own model, which chooses", why.byNccl]];
    $('why-text').replaceChildren(...clocks.flatMap(([head, sentence]) => [make('h3', head), make('p', sentence)]),
      ...why.sections.flatMap((section) => [make('h3', section.topic), ...section.sentences.map((sentence) => make('p', sentence))]));
  } catch (error) {
    $('why-text').replaceChildren(make('p', error.message, { class: 'wrong' }));
  }
}

// Memory is asked about while its part of the page is open: it takes longer than the answer.

async function askMemory() {
  memoryRunning?.abort();
  if (!$('memory').open || !shown || body.dataset.state !== 'answered') { return; }
  const mine = new AbortController();
  memoryRunning = mine;
  $('memory-status').textContent = 'asking …';
  try {
    const answer = await (await post('/api/memory', shown, mine.signal)).json();
    if (memoryRunning !== mine) { return; }
    showMemory(answer, shown.has('edit'));
    $('memory-status').textContent = '';
  } catch (error) {
    if (memoryRunning !== mine || mine.signal.aborted) { return; }
    $('memory-text').replaceChildren(make('p', error.message, { class: 'wrong' }));
    $('memory-status').textContent = '';
  }
}

function showMemory(answer, isEdited) {
  const sentences = isEdited ? ['Before: ' + answer.before, 'After: ' + answer.after] : [answer.after];
  const command = make('p', isEdited ? 'Before the edits the same as ' : 'The same as ');
  command.append(make('code', answer.equalCommand));
  const notes = make('ul');
  notes.append(...answer.notes.map((note) => make('li', note)));
  const steps = answer.steps.map((one) =>
    isEdited ? [one.step, one.gpuBefore, one.gpuAfter, one.hostBefore, one.hostAfter] : [one.step, one.gpuAfter, one.hostAfter]);
  const parts = answer.parts.map((one) => [one.what + ', ' + one.where, ...(isEdited ? [one.before] : []), one.after]);
  $('memory-text').replaceChildren(...sentences.map((one) => make('p', one)),
    memoryTable(isEdited ? ['Step', 'GPU before', 'GPU after', 'Host before', 'Host after'] : ['Step', 'GPU', 'Host'], steps),
    memoryTable(isEdited ? ['What takes it', 'Before', 'After'] : ['What takes it', 'Size'], parts), command, notes);
}

/** A table whose first column is names, and the others sizes. */
function memoryTable(heads, rows) {
  const line = (cells, element, scope) => {
    const made = make('tr');
    made.append(make('th', cells[0], { scope }), ...cells.slice(1).map((text) => make(element, text, { class: 'num' })));
    return made;
  };
  const box = make('div', '', { class: 'scroll table' });
  const table = make('table');
  table.append(make('thead'), make('tbody'));
  table.tHead.append(line(heads, 'th', 'col'));
  table.tBodies[0].append(...rows.map((row) => line(row, 'td', 'row')));
  box.append(table);
  return box;
}

function toggleMemory() {
  if (shown) { writeAddress(fields()); }
  askMemory();
}

// The drawing: one of its parts is in the order of the Tab key, arrow keys move among them.

const allParts = () => [...drawing.querySelectorAll('[data-part]')];
const partOf = (target) => target?.closest?.('#drawing [data-part]');
const findPart = (id) => allParts().find((one) => one.dataset.part === id);

function showDrawing(text) {
  const svg = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (svg.localName !== 'svg') { throw new Refusal('The drawing cannot be read.'); }
  const stop = drawing.querySelector('[tabindex="0"]')?.dataset.part;
  closeMenu();
  stopDrag();
  const focused = drawing.contains(document.activeElement) ? document.activeElement.dataset.part : null;
  drawing.replaceChildren(document.importNode(svg, true));
  zoom(1);
  allParts().forEach((one) => one.classList.toggle('movable', movesOf(one).length > 0));
  (findPart(stop) || allParts()[0])?.setAttribute('tabindex', '0');
  showPart(findPart(shownPart));
  if (focused !== null) { (findPart(focused) || drawing).focus(); }
}

/** No text is smaller than drawn: a machine that is wider than its place scrolls. */
function zoom(factor) {
  const svg = drawing.firstElementChild;
  if (!svg) { return; }
  zoomed = Math.max(1, Math.min(zoomed * factor, 6));
  svg.style.minWidth = svg.getAttribute('width') * zoomed + 'px';
  svg.style.minHeight = svg.getAttribute('height') * zoomed + 'px';
  svg.style.width = 100 * zoomed + '%';
  $('zoom-out').disabled = zoomed === 1;
}

/** Rings what limits the largest call. */
function markLimits(names) {
  const below = drawing.querySelector('.link');
  names.map(findPart).filter(Boolean).forEach((part) => {
    const shape = part.querySelector('rect') || part;
    const at = (name) => shape.getAttribute(name);
    const ring = shape === part ? draw('path', { d: at('d') })
      : draw('rect', { x: at('x'), y: at('y'), width: at('width'), height: at('height'), rx: 4 });
    ring.setAttribute('class', 'limit');
    if (shape === part) { ring.style.strokeWidth = 6 + Number(at('stroke-width')) + 'px'; }
    drawing.firstElementChild.insertBefore(ring, below);
  });
}

/** What the server says of the part under the pointer, or of the one with the focus; it stays until there is another. */
function showPart(part) {
  shownPart = part?.dataset.part;
  $('part-facts').textContent = part?.getAttribute('aria-label') || 'Hover over a device or link: its paths, bandwidth and load. Click it to edit, drag a device to another switch or CPU. Keyboard: arrow keys and Enter.';
}

function focusPart(part) {
  allParts().forEach((one) => one.setAttribute('tabindex', one === part ? '0' : '-1'));
  part.focus();
}

function center(part) {
  const box = part.getBoundingClientRect();
  return { part, x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Left and right pass all parts in reading order; up and down go to the nearest one there. */
function neighbour(part, key) {
  const at = center(part);
  const all = allParts().map(center).sort((a, b) => a.y - b.y || a.x - b.x);
  const place = all.findIndex((one) => one.part === part);
  const side = key === 'ArrowUp' ? -1 : 1;
  const rank = (one) => Math.abs(one.y - at.y) + 2 * Math.abs(one.x - at.x);
  const [nearest] = all.filter((one) => (one.y - at.y) * side > 1).sort((a, b) => rank(a) - rank(b));
  const found = { Home: all[0], End: all.at(-1), ArrowLeft: all[place - 1], ArrowRight: all[place + 1], ArrowUp: nearest, ArrowDown: nearest };
  return found[key]?.part;
}

function onDrawingKey(event) {
  const part = partOf(event.target);
  if (!part || event.ctrlKey || event.altKey || event.metaKey || !/^(Enter| |Arrow.*|Home|End)$/.test(event.key)) { return; }
  event.preventDefault();
  if (event.key === 'Enter' || event.key === ' ') {
    openMenu(part);
  } else {
    focusPart(neighbour(part, event.key) || part);
  }
}

// The menu of a part.

function openMenu(element) {
  const part = parts.get(element.dataset.part);
  closeMenu();
  focusPart(element);
  if (!part) { return; }
  opener = element;
  element.classList.add('open');
  $('menu-title').textContent = part.title;
  $('menu').replaceChildren(...part.edits.map((edit) => {
    const item = make('button', edit.label, { type: 'button', role: 'menuitem', tabindex: '-1', 'data-edit': edit.edit });
    item.addEventListener('click', () => { closeMenu(); tryEdit(edit.edit); });
    return item;
  }));
  $('menu-box').hidden = false;
  placeMenu($('menu-box'), element.getBoundingClientRect());
  $('menu').firstChild?.focus();
}

/** Below the part where there is room, otherwise as far up as is needed. */
function placeMenu(menu, box) {
  menu.style.left = Math.max(8, Math.min(box.left, window.innerWidth - menu.offsetWidth - 8)) + 'px';
  menu.style.top = Math.max(8, Math.min(box.bottom + 6, window.innerHeight - menu.offsetHeight - 8)) + 'px';
}

/** An item that is hidden loses the focus: it goes back to the part first. */
function closeMenu() {
  if ($('menu').contains(document.activeElement)) { opener?.focus(); }
  $('menu-box').hidden = true;
  opener?.classList.remove('open');
  opener = null;
}

function onMenuKey(event) {
  const items = [...$('menu').children];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1 };
  if (event.key in to || event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault();
    if (event.key in to) { items[to[event.key]].focus(); } else { closeMenu(); }
  }
}

// Dragging a part to the place of one of its edits.

const movesOf = (element) => parts.get(element?.dataset.part)?.edits.filter((edit) => edit.place) || [];

function startDrag(event) {
  const element = partOf(event.target);
  const moves = movesOf(element);
  if (event.button === 0 && event.isPrimary && moves.length) {
    drag = { element, moves, x: event.clientX, y: event.clientY, isMoving: false };
  }
}

function moveDrag(event) {
  if (!drag || !drag.isMoving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PIXELS) { return; }
  if (!drag.isMoving) {
    drag.isMoving = true;
    body.classList.add('dragging');
    drag.moves.forEach((edit) => findPart(edit.place)?.classList.add('target'));
    $('ghost').textContent = 'Move ' + drag.element.dataset.part;
    $('ghost').hidden = false;
  }
  $('ghost').style.left = event.clientX + 14 + 'px';
  $('ghost').style.top = event.clientY + 14 + 'px';
  drawing.querySelectorAll('.over').forEach((one) => one.classList.remove('over'));
  findPart(moveAt(event)?.place)?.classList.add('over');
}

function moveAt(event) {
  const place = partOf(document.elementFromPoint(event.clientX, event.clientY))?.dataset.part;
  return drag.moves.find((edit) => edit.place === place);
}

function endDrag(event) {
  if (!drag?.isMoving) {
    drag = null;
    return;
  }
  const [element, move] = [drag.element, moveAt(event)];
  stopDrag();
  // The click that follows a drag would open the menu.
  window.addEventListener('click', stopClick, { capture: true });
  setTimeout(() => window.removeEventListener('click', stopClick, { capture: true }));
  if (move) {
    focusPart(element);
    tryEdit(move.edit);
  }
}

const stopClick = (event) => event.stopPropagation();

function stopDrag() {
  drag = null;
  body.classList.remove('dragging');
  $('ghost').hidden = true;
  drawing.querySelectorAll('.target, .over').forEach((one) => one.classList.remove('target', 'over'));
}

// Files in and out.

async function upload(file) {
  // The same file, changed meanwhile, can be chosen again.
  $('file').value = '';
  wait('reading ' + file.name + ' …');
  try {
    const headers = { 'Content-Type': 'application/octet-stream' };
    const response = await request('/api/machine?name=' + encodeURIComponent(file.name), { method: 'POST', body: file, headers });
    const machine = await response.json();
    addMachine(machine);
    $('machine').value = machine.id;
    changeMachine();
  } catch (error) {
    fail(error);
  }
}

function addMachine(machine) {
  const kinds = { file: 'Files of the command line', dropped: 'Files of this page', shipped: 'Machines of topo' };
  const label = kinds[machine.id.split('-')[0]] || kinds.shipped;
  let group = [...$('machine').children].find((one) => one.label === label);
  if (!group) {
    group = make('optgroup', '', { label });
    $('machine').append(group);
  }
  others().forEach((row) => option(row.machine, machine.id, machine.name));
  group.append(make('option', machine.name, { value: machine.id, 'data-description': machine.description || '' }));
}

/** Edits name devices of a machine: another one starts without, and Undo brings them back. */
function changeMachine() {
  describeMachine();
  tried = null;
  if (edits.length) { setEdits([]); } else { ask(); }
}

function describeMachine() {
  $('machine-note').textContent = $('machine').selectedOptions[0]?.dataset.description || '';
}

function save(blob, ending) {
  const name = $('title').textContent.replace(/[^\w.-]+/g, '-') || 'machine';
  const download = name + (shown?.has('edit') ? '-edited' : '') + ending;
  const href = URL.createObjectURL(blob);
  make('a', '', { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  $('done').textContent = 'Saved ' + download + '.';
}

async function saveFile(kind, ending) {
  $('done').textContent = 'Saving …';
  try {
    const form = shown || fields();
    save(await (await post('/api/file/' + kind, form)).blob(), ending);
    const left = [...form.getAll('env'), ...form.getAll('edit').filter((edit) => /^(env|nccl) /.test(edit))];
    if (kind === 'xml' && left.length) { $('done').textContent += ' A topology file has no place for ' + left.join(', ') + '.'; }
  } catch (error) {
    $('done').textContent = 'Not saved: ' + error.message;
  }
}

/** The answer as it is shown, without what needs the server. */
function savePage() {
  const page = document.documentElement.cloneNode(true);
  page.querySelectorAll('script, noscript, .control, .action, #stale, #error').forEach((one) => one.remove());
  page.querySelectorAll('details:not([open])').forEach((one) => one.remove());
  page.querySelectorAll('[nonce]').forEach((one) => one.removeAttribute('nonce'));
  page.querySelectorAll('#drawing, [data-part]').forEach((one) =>
    ['tabindex', 'role', 'aria-haspopup', 'aria-describedby', 'aria-label', 'data-part'].forEach((name) => one.removeAttribute(name)));
  page.querySelector('body').className = 'static';
  page.querySelector('body').dataset.state = 'answered';
  save(new Blob(['<!DOCTYPE html>\n' + page.outerHTML], { type: 'text/html' }), '.html');
}

function copy(text, what) {
  const done = (sentence) => { $('done').textContent = sentence; };
  navigator.clipboard.writeText(text).then(() => done(what + ' copied.'), () => done('The browser does not allow copying: ' + text));
}

// Start.

function fillForm(options) {
  $('version').textContent = options.topo || '';
  ['file-', 'dropped-', 'shipped-'].forEach((kind) => options.machines.filter((one) => one.id.startsWith(kind)).forEach(addMachine));
  option($('release'), '', options.defaultRelease + ' default');
  options.releases.forEach((one) => option($('release'), one, one));
  options.networks.forEach((one) => option($('network'), one, one));
  options.operations.forEach((one) => option($('collective'), one, one));
  options.settings.forEach((one) => option($('setting-names'), one + '=', one));
}

function listen() {
  const clicks = {
    'add-edit': addTypedEdit, undo, redo, cancel, again: ask, print: () => window.print(), 'save-page': savePage,
    'save-xml': () => saveFile('xml', '.xml'), 'save-svg': () => saveFile('svg', '.svg'),
    'save-json': () => saveFile('json', '.json'),
    'save-chart': () => saveFile('chart', '-chart.svg'), 'save-report': () => saveFile('report', '-report.html'), 'why-close': () => $('why').close(),
    'copy-link': () => copy(location.href, 'Link'), 'copy-command': () => copy($('command').textContent, 'Command'),
    'zoom-in': () => zoom(1.4), 'zoom-out': () => zoom(1 / 1.4), play: togglePlay,
  };
  Object.entries(clicks).forEach(([id, onClick]) => $(id).addEventListener('click', onClick));
  $('form').addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('input', onInput);
  document.addEventListener('change', onInput);
  $('machine').addEventListener('change', changeMachine);
  $('file').addEventListener('change', () => $('file').files[0] && upload($('file').files[0]));
  $('edit-text').addEventListener('keydown', (event) => event.key === 'Enter' && addTypedEdit());
  $('memory').addEventListener('toggle', toggleMemory);
  $('menu').addEventListener('keydown', onMenuKey);
  drawing.addEventListener('click', ({ target }) => partOf(target) && openMenu(partOf(target)));
  drawing.addEventListener('keydown', onDrawingKey);
  ['focusin', 'pointerover'].forEach((kind) => drawing.addEventListener(kind, ({ target }) => partOf(target) && showPart(partOf(target))));
  drawing.addEventListener('pointerdown', startDrag);
  document.addEventListener('pointerdown', ({ target }) => opener && !$('menu-box').contains(target) && closeMenu());
  document.addEventListener('pointermove', moveDrag);
  document.addEventListener('pointerup', endDrag);
  document.addEventListener('pointercancel', stopDrag);
  document.addEventListener('keydown', onKey);
  document.addEventListener('dragover', onFileOver);
  document.addEventListener('dragleave', (event) => event.relatedTarget || body.classList.remove('dropping'));
  document.addEventListener('drop', onFileDrop);
  new ResizeObserver(showCurve).observe($('curve'));
  window.addEventListener('hashchange', () => { restore(readAddress()); ask(); });
}

/** Tools that operate a list for somebody report its change only; a text is asked about while it is typed. */
function onInput({ target, type }) {
  if ((target.localName === 'select') !== (type === 'change')) { return; }
  if (target === $('graph')) { $('channel').value = '0'; }
  if (target !== $('machine') && (controls.includes(target) || settings().includes(target))) { askLater(); }
}

function onKey(event) {
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && !event.target.matches?.('input');
  if (event.key === 'Escape') { stopDrag(); }
  if (isUndo && !$('why').open) {
    event.preventDefault();
    if (event.shiftKey) { redo(); } else { undo(); }
  }
}

const hasFile = (event) => event.dataTransfer?.types.includes('Files');

function onFileOver(event) {
  if (hasFile(event)) {
    event.preventDefault();
    body.classList.add('dropping');
  }
}

function onFileDrop(event) {
  body.classList.remove('dropping');
  if (hasFile(event)) {
    event.preventDefault();
    upload(event.dataTransfer.files[0]);
  }
}

async function start() {
  const form = readAddress();
  try {
    if (!token) { throw new Refusal('Open the address that topo serve printed: it has the token.'); }
    fillForm(await (await request('/api/options')).json());
    restore(form);
    listen();
    ask();
  } catch (error) {
    fail(error);
  }
}

start();
