import type { Accept } from '../../accept.ts'
import type { Definition } from '../ir.ts'
import { AcceptorInterpreter, type SharedClosures } from './check.ts'

/** An acceptor as closures. */
export function interpretAcceptor(root: Definition, shared: SharedClosures): Accept {
  return new AcceptorInterpreter(shared).root(root)
}
