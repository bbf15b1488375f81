/** A book on the shelf. */
export interface Book {
  /** Short name, unique, made of the title: `moby-dick`. */
  id: string
  title: string
  author: string
  /** Year in which it was first published or performed. */
  year: number
  /** Code of the language that it was written in (ISO 639-1). */
  language: string
  subjects: string[]
}

/** What a reader sent about a book. */
export interface NewReview {
  reader: string
  stars: number
  text: string
}

/** A review as it is kept. */
export interface Review extends NewReview {
  id: number
  bookId: string
  /** Time in ISO 8601. */
  writtenAt: string
}

/** Which books are asked for, and which part of the list. */
export interface BookQuery {
  search?: string | undefined
  author?: string | undefined
  language?: string | undefined
  subject?: string | undefined
  from?: number | undefined
  to?: number | undefined
  sort: 'title' | 'author' | 'year'
  limit: number
  offset: number
}

/** A part of a list, and the length of the whole. */
export interface Page<T> {
  total: number
  limit: number
  offset: number
  items: T[]
}

/** A word and how many books it stands for. */
export interface Count {
  name: string
  books: number
}

/** The shelf in figures. */
export interface Stats {
  books: number
  authors: number
  reviews: number
  oldest: number | null
  newest: number | null
}
