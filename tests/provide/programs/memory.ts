// A graph built from rows, extended in a loop, searched side by side, pruned.
const rows = [["Ada", "person", "writes"], ["Bob", "person", "reads"], ["Tea", "drink", "is hot"]] as const;
const made = await memory.create_entities({
  entities: rows.map(([name, entityType, observation]) => ({ name, entityType, observations: [observation] })) });
for (const { name, entityType } of made.entities) {
  if (entityType === "person")
    await memory.create_relations({ relations: [{ from: name, to: "Tea", relationType: "drinks" }] });
}
await memory.add_observations({ observations: [{ entityName: "Tea", contents: ["is green", "is black"] }] });
const found = await Promise.all(["person", "drink", "nobody"].map(query => memory.search_nodes({ query })));
const opened = await memory.open_nodes({ names: ["Ada", "Tea"] });
await memory.delete_entities({ entityNames: ["Bob"] });
const graph = await memory.read_graph();
return {
  found: found.map(result => result.entities.map(entity => entity.name)), opened: opened.relations.length,
  left: graph.entities.map(entity => `${entity.name}:${entity.observations.length}`), relations: graph.relations.length,
};
