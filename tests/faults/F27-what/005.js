// title: a name misspelt is an error of the program, with its line
// expect: js-error:TypeError
// also: line 4
host.gihtub.listIssues();
