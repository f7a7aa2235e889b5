// title: text with half a pair
// expect: value:{"$type":"text","wtf8Base64":"7aCA"}
return "\ud800";
