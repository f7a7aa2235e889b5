export function message(body: string) {
  const data: unknown = JSON.parse(body);
  return data.message;
}
//! TS18046 3:10-3:14 `data` is `unknown`: find out what it is before using it.
