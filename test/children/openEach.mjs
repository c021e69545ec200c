// Opens stores with each of the options that it is given, by what a built module exports; prints how that went.
const [module, name, options] = process.argv.slice(2);
const exported = await import(module);
const told = [];
for (const each of JSON.parse(options)) {
  try {
    const store = exported[name](each);
    await store.put({ users: [{ userID: "u1" }] });
    await store.close();
    told.push("opened");
  } catch (error) {
    told.push(error.message);
  }
}
process.stdout.write(JSON.stringify(told));
