// title: shell sent as JavaScript is told once, as that
// mode: text
// expect: denied
// also: status refused
// also: finding TN1003 1 shell
// ---
ls -la | grep x
