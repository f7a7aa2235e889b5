// The same over standard input and output and over HTTP: what differs is the package.
const answers = await Promise.all([stock, web].map(async hub => {
  const { parts } = await hub.list_parts();
  const all = await Promise.all(parts.map(name => hub.get_part({ name })));
  let short = 0;
  for (const part of all) {
    if (part.count < 5)
      short += part.count;
  }
  const picture = await hub.picture({ name: "gear" });
  const bytes = picture.filter((p: { data?: unknown }) => p.data instanceof Uint8Array)
    .map((p: { type: string; data: Uint8Array }) => `${p.type} ${p.data.length}`);
  const counted: string = await hub.recount({ steps: 3 });
  let missing = "";
  try {
    await hub.get_part({ name: "bolt-2" });
  } catch (error) {
    missing = (error as Error & { code: string }).code + ": " + (error as Error).message;
  }
  return { parts: parts.length, short, bytes, counted, missing };
}));
return answers;
