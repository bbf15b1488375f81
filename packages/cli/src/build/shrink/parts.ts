/** A place in code that another run may not reach: a block, a statement or an expression. */
export interface Spot {
  readonly start: number
  readonly end: number
  readonly kind: 'block' | 'statement' | 'expression'
}

/**
 * What a part is: `effect` is a variable whose value may do something when it is made, `registration` a method that a
 * function made which refuses calls after the start.
 */
export type PartForm = 'function' | 'class' | 'getter' | 'registration' | 'data' | 'effect'

/** A declaration or member of a module, a function within one, or the statements of the module itself. */
export class Part {
  readonly file: string
  readonly kind: 'module' | 'declaration' | 'member' | 'closure'
  readonly name: string
  readonly form: PartForm
  readonly parent: Part | null
  /** where the text of a member is */
  readonly range: readonly [start: number, end: number] | null
  /** the class or table that a member is of */
  readonly owner: Part | null
  /** functions that it makes, which may run after it */
  readonly closures: Part[] = []
  /** names that it calls, and names that it reads in other ways */
  readonly calls: Set<string> = new Set()
  readonly values: Set<string> = new Set()
  /** members that it calls, and members that it reads in other ways */
  readonly memberCalls: Set<string> = new Set()
  readonly memberValues: Set<string> = new Set()
  /** tables of which it lists all rows */
  readonly lists: Set<string> = new Set()
  /** texts that may be names of members */
  readonly words: Set<string> = new Set()
  readonly spots: Spot[] = []

  constructor(
    file: string,
    kind: Part['kind'],
    given: Partial<Pick<Part, 'name' | 'form' | 'parent' | 'range' | 'owner'>> = {},
  ) {
    this.file = file
    this.kind = kind
    this.name = given.name ?? ''
    this.form = given.form ?? 'data'
    this.parent = given.parent ?? null
    this.range = given.range ?? null
    this.owner = given.owner ?? null
  }
}

/** A name of another module; `*` is all of it. */
export interface Elsewhere {
  readonly source: string
  readonly name: string
}

/** A module with its parts, and what its names stand for. */
export interface ReadModule {
  readonly file: string
  readonly text: string
  readonly parts: readonly Part[]
  readonly imports: ReadonlyMap<string, Elsewhere>
  readonly exported: ReadonlyMap<string, string | Elsewhere>
  /** the modules that it exports as a whole */
  readonly stars: readonly string[]
}
