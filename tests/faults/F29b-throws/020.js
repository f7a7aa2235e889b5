// title: a value that is named like a stop
// expect: js-error:LimitError
class LimitError extends Error { name = "LimitError"; code = "wall"; }
throw new LimitError("not a real one");
