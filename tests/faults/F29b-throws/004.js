// title: an empty message from the host
// expect: js-error:Error
// also: message-is
// also: code EBROKEN
await host.failsWithEmptyMessage();
