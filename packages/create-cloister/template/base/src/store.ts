export interface Note {
  readonly id: number
  readonly text: string
  readonly done: boolean
}

/** Where the notes are. */
export interface Store {
  all(): readonly Note[]
  find(id: number): Note | undefined
  add(text: string, done: boolean): Note
}

/** Opens a store in memory; put your database here. */
export function openStore(): Store {
  const all: Note[] = []
  return {
    all: () => all,
    find: (id) => all.find((note) => note.id === id),
    add: (text, done) => {
      const note = { id: all.length + 1, text, done }
      all.push(note)
      return note
    },
  }
}
