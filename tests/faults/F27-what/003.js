// mode: text
// expect: denied
// also: finding TN1003 * diff
// ---
--- a/x.js
+++ b/x.js
@@ -1 +1 @@
-const a = 1;
+const a = 2;
