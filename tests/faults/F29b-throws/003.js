// expect: js-error:any
// also: thrown null
throw null;
