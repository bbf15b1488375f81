import { load } from '@cloister/schema'

export function broken(value: any): string {
  load()
  const text = load as unknown as string
  const list: string[] = []
  return text + list[0]! + String(value)
}

export function generate(text: string): unknown {
  return new Function(text)
}

export async function misuse(): Promise<void> {
  if (load()) throw 'no error'
}
