/**
 * The names in `Known` that `Name` differs from by one letter: missing, wrong, too many, or swapped with its neighbour.
 * Case counts as no difference. Only names with the same first letter are compared.
 */
export type Nearest<Name extends string, Known extends string> = Name extends `${infer First}${string}`
  ? NearestOf<Name, Extract<Known, `${First | Lowercase<First>}${string}`>>
  : never
type NearestOf<Name extends string, Known extends string> = Known extends string
  ? true extends IsNear<Lowercase<Name>, Lowercase<Known>>
    ? Known
    : never
  : never

type IsNear<A extends string, B extends string> = A extends B
  ? true
  : A extends `${infer X}${infer RestOfA}`
    ? B extends `${infer Y}${infer RestOfB}`
      ? X extends Y
        ? IsNear<RestOfA, RestOfB>
        : IsOneEdit<X, RestOfA, Y, RestOfB>
      : RestOfA extends ''
        ? true
        : false
    : B extends `${string}${infer RestOfB}`
      ? RestOfB extends ''
        ? true
        : false
      : false
type IsOneEdit<X extends string, RestOfA extends string, Y extends string, RestOfB extends string> =
  | (RestOfA extends RestOfB | `${Y}${RestOfB}` ? true : never)
  | (`${X}${RestOfA}` extends RestOfB ? true : never)
  | ([RestOfA, RestOfB] extends [`${Y}${infer Rest}`, `${X}${infer Same}`]
      ? Rest extends Same
        ? true
        : never
      : never)

/** The end of a message about an unknown name: the nearest known name, if one is near. */
export type Hint<Name extends string, Known extends string> = [Nearest<Name, Known>] extends [never]
  ? ''
  : `; did you mean '${Nearest<Name, Known>}'?`
