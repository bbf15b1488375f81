import type { Room } from './rooms.ts'

/** Draws rooms as a Mermaid flowchart: rooms are subgraphs, their walls and routes are nodes. */
export function drawMermaid(root: Room): string {
  let next = 0
  const draw = ({ title, walls, routes, rooms }: Room, indent: string): string[] => {
    const inner = `${indent}  `
    const id = `room${next++}`
    const wall = walls.length === 0 ? [] : [`${inner}${id}walls[/"${walls.map(escape).join('<br/>')}"/]`]
    const lines = routes.map((route) => `${inner}${id}route${next++}["${escape(route)}"]`)
    // Mermaid does not draw a subgraph without nodes.
    const empty = walls.length + routes.length + rooms.length === 0 ? [`${inner}${id}empty[" "]`] : []
    return [
      `${indent}subgraph ${id}["${escape(title)}"]`,
      ...wall,
      ...lines,
      ...empty,
      ...rooms.flatMap((room) => draw(room, inner)),
      `${indent}end`,
    ]
  }
  return `${['flowchart TB', ...draw(root, '  ')].join('\n')}\n`
}

/** Escapes characters as Mermaid entities, which begin with `#`. */
function escape(text: string): string {
  return text
    .replaceAll('#', '#35;')
    .replaceAll('"', '#quot;')
    .replaceAll('<', '#lt;')
    .replaceAll('>', '#gt;')
}
