// A loop, calls side by side, an image, a resource and an audio-less mix as bytes, progress, an error.
const sums: number[] = [];
for (let i = 0; i < 3; i++)
  sums.push(Number(/(\d+)\.?$/.exec(await everything.get_sum({ a: i, b: 40 }))?.[1]));
const echoes: string[] = await Promise.all(["a", "b", "c", "d"].map(message => everything.echo({ message })));
const cities = ["New York", "Chicago", "Los Angeles"] as const;
const weather = await Promise.all(cities.map(location => everything.get_structured_content({ location })));
const warm = weather.filter(w => w.temperature > -100).length;
const [, image] = await everything.get_tiny_image();
const [, blob] = await everything.get_resource_reference({ resourceType: "Blob", resourceId: 2 });
const links = (await everything.get_resource_links({ count: 3 })).filter((l: { type: string }) => l.type === "resource_link");
const noted = await everything.get_annotated_message({ messageType: "error" });
const long: string = await everything.trigger_long_running_operation({ duration: 1, steps: 5 });
let refused = "";
try {
  await everything.get_resource_reference({ resourceType: "Text", resourceId: -1 });
} catch (error) {
  refused = (error as Error).constructor.name;
}
return {
  sums, echoes, warm, refused, links: links.length, noted: typeof noted, long: long.includes("completed"),
  png: image.data instanceof Uint8Array && image.data[1] === 0x50 && image.mimeType === "image/png",
  blob: blob.data instanceof Uint8Array && new TextDecoder().decode(blob.data).includes("Resource 2"),
};
