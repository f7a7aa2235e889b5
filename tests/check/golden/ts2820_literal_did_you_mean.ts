type Level = "normal" | "urgent";
const level: Level = "urgnt";
export { level };
//! TS2820 2:7-2:12 Expected `Level`, found `"urgnt"`: did you mean `"urgent"`?  [mean="urgent"]
