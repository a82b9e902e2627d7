// The files that somebody drops onto a page, those in folders included, each with its path.

/** @param {DataTransfer} transfer @returns {Promise<Array<{ file: File, name: string }>>} */
export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, name: file.name }));
  return (await Promise.all(entries.map((entry) => inside(entry)))).flat();
}

/** @param {any} entry @returns {Promise<Array<{ file: File, name: string }>>} */
async function inside(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return entry.name.startsWith(".") ? [] : [{ file, name: entry.fullPath.replace(/^\//, "") }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) { // a reader gives a folder's entries in parts
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return (await Promise.all(found.map(inside))).flat();
    found.push(...some);
  }
}
