// title: a subclass with members of its own
// expect: js-error:HttpError
// also: message-is not found
// also: code E404
class HttpError extends Error { name = "HttpError"; code = "E404"; status = 404; }
throw new HttpError("not found");
