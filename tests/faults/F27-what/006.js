// title: a package misspelt in an import names those that there are
// expect: denied
// also: status refused
// also: finding TS2307 5 github
import { listIssues } from "gihtub";
listIssues();
