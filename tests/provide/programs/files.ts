// Written in parallel, listed, read in parallel, sifted, edited one after the other, moved, refused.
const dir = folder;
const names = Array.from({ length: 8 }, (_, i) => `${dir}/n${i}.txt`);
await Promise.all(names.map((path, i) => files.write_file({ path, content: `line ${i}\n`.repeat(i + 1) })));
const listed = (await files.list_directory({ path: dir })).content.split("\n")
  .filter(line => line.startsWith("[FILE]")).map(line => line.slice(7));
const read = await Promise.all(listed.map(async name => (await files.read_text_file({ path: `${dir}/${name}` })).content));
const long = listed.filter((_, i) => read[i].split("\n").length > 5);
for (const name of long)
  await files.edit_file({ path: `${dir}/${name}`, edits: [{ oldText: "line", newText: "row" }] });
await files.create_directory({ path: `${dir}/long` });
await Promise.all(long.map(name => files.move_file({ source: `${dir}/${name}`, destination: `${dir}/long/${name}` })));
const tree = JSON.parse((await files.directory_tree({ path: dir })).content) as { name: string; children?: unknown[] }[];
let denied = "";
try {
  await files.read_text_file({ path: "/etc/passwd" });
} catch (error) {
  denied = (error as Error).message.split(" - ")[0];
}
const media = (await files.read_media_file({ path: `${dir}/n0.txt` })).content[0];
return {
  count: listed.length, long, denied, first: (await files.read_text_file({ path: `${dir}/long/${long[0]}`, head: 1 })).content,
  moved: tree.find(entry => entry.name === "long")?.children?.length, media: media.type,
};
