// Writes every file that is made from a table of the sources; with `--check` it only says whether they are up to date.
await import('./errors-doc.mjs')
await import('./options-doc.mjs')
await import('./explorer-page.mjs')
