// title: many combining marks: their order is found slowly
// limits: wall=150
// expect: deadline
("a" + "\u0301\u0316".repeat(500000)).normalize("NFD");
for (;;);
