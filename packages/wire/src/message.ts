export { BegunError, ContentWriter, LengthError } from './message/content-writer.ts'
export type { Trailers } from './message/content-writer.ts'
export {
  checkFields,
  FieldError,
  isFieldName,
  isFieldValue,
  problemOfField,
  trimBlanks,
} from './message/field.ts'
export type { ResponseHeaders } from './message/field.ts'
export { frame, interimFields, isDate, readPersistence, STREAMED } from './message/framing.ts'
export type { FieldValue, Framing, Message, Persistence, Said } from './message/framing.ts'
export { isHost, isIPv6 } from './message/host.ts'
export { checkReason, checkStatus, isStatus, StatusError } from './message/status.ts'
export { prematureClose, SENT, WAITING } from './message/turn.ts'
export type { Turn, TurnEvent } from './message/turn.ts'
