// The parameters of a path, by the rules of the router:
//   :name        ends at `/`, `-`, `.`, `(` or the end of the path
//   :name(regex) the expression, which may contain brackets, does not change the type
//   :name?       at the end of the path: may be missing
//   ::           is a colon and not a parameter
//   *            the rest of the path

/** The parameters of a path: strings, by name. */
export type ParamsOf<Path extends string> = string extends Path
  ? { [name: string]: string }
  : Names<Path> extends infer N extends string
    ? Readable<{ [K in RequiredName<N>]: string } & { [K in OptionalName<N>]?: string }>
    : never

/** The parameters that a request of this path always has. */
export type PresentParams<Path extends string> = string extends Path ? never : RequiredName<Names<Path>>

type Readable<T> = { [K in keyof T]: T[K] }
type RequiredName<N extends string> = N extends `${string}?` ? never : N
type OptionalName<N extends string> = N extends `${infer K}?` ? K : never

// Collects the names of a path, one segment at a time. An optional name keeps its question mark.
type Names<Path extends string, Found extends string = never> = Path extends `${infer Segment}/${infer Rest}`
  ? HasOpenBracket<Segment> extends true
    ? SegmentNames<Path, Found>
    : Names<Rest, SegmentNames<Segment, Found>>
  : SegmentNames<Path, Found>

type HasOpenBracket<Text extends string> = Text extends `${string}(${infer Rest}`
  ? Rest extends `${string})${infer After}`
    ? HasOpenBracket<After>
    : true
  : false

type SegmentNames<Text extends string, Found extends string> = Text extends '*'
  ? Found | '*'
  : Text extends `${string}:${infer After}`
    ? After extends `:${infer Rest}`
      ? SegmentNames<Rest, Found>
      : SegmentNames<AfterName<After>, Found | NameAtStart<After>>
    : Text extends `${string}*`
      ? Found | '*'
      : Found

type NameAtStart<Text extends string> = WithoutMark<
  Until<Until<Until<Until<Text, '('>, '/'>, '-'>, '.'>,
  Text
>
type WithoutMark<Name extends string, Text extends string> = Name extends `${string}?`
  ? Name
  : Text extends `${Name}(${string})?`
    ? `${Name}?`
    : Name
type Until<Text extends string, End extends string> = Text extends `${infer Head}${End}${string}`
  ? Head
  : Text

// The rest of the path after a name and its regular expression.
type AfterName<Text extends string> = Text extends `${infer Head}(${infer Rest}`
  ? Head extends `${string}${'/' | '-' | '.' | ':'}${string}`
    ? Text
    : AfterBracket<Rest>
  : Text

type AfterBracket<
  Text extends string,
  Depth extends unknown[] = [],
> = Text extends `${infer Head})${infer Rest}`
  ? Head extends `${string}\\`
    ? AfterBracket<Rest, Opened<Head, Depth>>
    : AfterClose<Rest, Opened<Head, Depth>>
  : ''
type AfterClose<Rest extends string, Depth extends unknown[]> = Depth extends [unknown, ...infer Less]
  ? AfterBracket<Rest, Less>
  : Rest
type Opened<Text extends string, Depth extends unknown[]> = Text extends `${infer Head}(${infer Rest}`
  ? Head extends `${string}\\`
    ? Opened<Rest, Depth>
    : Opened<Rest, [...Depth, unknown]>
  : Depth
