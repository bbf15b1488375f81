/** Takes generated code for every function, from the first call on. */
export class TiersWithCode {
  readonly mode = 'always'
  readonly patience = 0
}
