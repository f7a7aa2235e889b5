// What follows in the bundle is for engines that have fetch; for others it is cut off here
// (image.c, bundle.mjs).
host.fetchBegins();
