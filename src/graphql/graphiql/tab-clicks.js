// GraphiQL's tabs can be dragged, so their row captures the pointer. Newer browsers then send the click to the row instead
// of the tab, and nothing happens. This forwards the click to the button that was pressed.
{
  let pressed = null;
  addEventListener(
    'pointerdown',
    ({ target }) => {
      pressed = target.closest?.('.graphiql-tab-button, .graphiql-tab-close');
    },
    true,
  );
  addEventListener(
    'click',
    ({ target, isTrusted }) => {
      if (isTrusted && pressed && target.matches?.('.graphiql-tabs, .graphiql-tab')) pressed.click();
    },
    true,
  );
}
