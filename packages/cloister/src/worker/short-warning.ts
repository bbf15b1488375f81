import type { warningText as replaced } from '../logging/warning-text.ts'

/** Returns the short text of a warning: its name and its details. */
export const warningText: typeof replaced = (name, { message, ...details }) =>
  String(message ?? [name.toLowerCase().replaceAll('_', ' '), ...Object.values(details)].join(', '))
