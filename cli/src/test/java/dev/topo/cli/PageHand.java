package dev.topo.cli;

import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** How somebody operates the page of {@code topo serve}. */
enum PageHand {
  MOUSE {
    @Override
    void look(Chromium page, String part) {
      page.hover(page.one("[data-part='" + part + "']"));
    }

    @Override
    void edit(Chromium page, String part, String label) {
      page.clickAt(page.one("[data-part='" + part + "']"));
      page.clickAt(item(page, label));
    }

    @Override
    void move(Chromium page, String part, String place) {
      page.drag(page.one("[data-part='" + part + "']"), page.one("[data-part='" + place + "']"));
    }

    @Override
    void press(Chromium page, String button) {
      page.click(button);
    }

    @Override
    void type(Chromium page, String field, String text) {
      page.click(field);
      page.pressWith(Keys.CONTROL, "a");
      page.press(text);
    }

    @Override
    void choose(Chromium page, String list, String value) {
      page.click(list + " option[value='" + value + "']");
    }
  },

  TOUCH {
    @Override
    void look(Chromium page, String part) {
      page.tap(page.one("[data-part='" + part + "']"));
    }

    @Override
    void edit(Chromium page, String part, String label) {
      page.tap(page.one("[data-part='" + part + "']"));
      page.tap(item(page, label));
    }

    @Override
    void move(Chromium page, String part, String place) {
      page.dragByFinger(
          page.one("[data-part='" + part + "']"), page.one("[data-part='" + place + "']"));
    }

    @Override
    void press(Chromium page, String button) {
      page.tap(page.one(button));
    }

    @Override
    void type(Chromium page, String field, String text) {
      page.tap(page.one(field));
      page.pressWith(Keys.CONTROL, "a");
      page.press(text);
    }

    @Override
    void choose(Chromium page, String list, String value) {
      page.click(list + " option[value='" + value + "']");
    }
  },

  KEYBOARD {
    @Override
    void look(Chromium page, String part) {
      focus(page, "document.activeElement.matches('#drawing [data-part]')");
      until(
          page,
          Keys.HOME,
          Keys.ARROW_RIGHT,
          "document.activeElement.dataset.part === '" + part + "'");
    }

    @Override
    void edit(Chromium page, String part, String label) {
      look(page, part);
      page.press(Keys.ENTER);
      until(
          page,
          Keys.HOME,
          Keys.ARROW_DOWN,
          "document.activeElement.textContent === '" + label + "'");
      page.press(Keys.ENTER);
    }

    @Override
    void move(Chromium page, String part, String place) {
      edit(page, part, "Move to " + place);
    }

    @Override
    void press(Chromium page, String button) {
      focus(page, "document.activeElement.matches('" + button + "')");
      page.press(Keys.ENTER);
    }

    @Override
    void type(Chromium page, String field, String text) {
      focus(page, "document.activeElement.matches('" + field + "')");
      page.pressWith(Keys.CONTROL, "a");
      page.press(text);
    }

    @Override
    void choose(Chromium page, String list, String value) {
      focus(page, "document.activeElement.matches('" + list + "')");
      until(page, Keys.HOME, Keys.ARROW_DOWN, "document.activeElement.value === '" + value + "'");
    }

    /** The Tab key, until something has the focus. */
    private void focus(Chromium page, String condition) {
      until(page, Keys.TAB, Keys.TAB, condition);
    }

    private void until(Chromium page, Keys first, Keys next, String condition) {
      page.press(first);
      for (int i = 0; !page.value(condition).equals("true"); i++) {
        if (i == MOST_KEYS) {
          throw new AssertionError("never " + condition + " by " + next.name());
        }
        page.press(next);
      }
    }
  };

  private static final int MOST_KEYS = 200;

  /** Goes to a part of the drawing, to read what is said of it. */
  abstract void look(Chromium page, String part);

  /** Chooses an edit that a part offers. */
  abstract void edit(Chromium page, String part, String label);

  /** Moves a part to another place. */
  abstract void move(Chromium page, String part, String place);

  /** Presses a button. */
  abstract void press(Chromium page, String button);

  /** Types a text into a field. */
  abstract void type(Chromium page, String field, String text);

  /** Chooses from a list. */
  abstract void choose(Chromium page, String list, String value);

  private static WebElement item(Chromium page, String label) {
    return page.all("#menu [role=menuitem]").stream()
        .filter(one -> one.getText().equals(label))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the menu has no '" + label + "'"));
  }
}
