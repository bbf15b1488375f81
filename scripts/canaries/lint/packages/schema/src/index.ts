export async function load(): Promise<number> {
  return 1
}
