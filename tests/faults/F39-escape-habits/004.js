// expect: js-error:any
// also: message etc/passwd
await import("file:///etc/passwd");
