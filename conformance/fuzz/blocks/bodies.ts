/** Makes JSON text of about one size out of pieces. */
type Fill = (open: string, piece: (index: number) => string, close: string) => string

function filler(size: number): Fill {
  return (open, piece, close) => {
    const pieces: string[] = []
    let length = open.length + close.length
    for (let index = 0; length < size; index++) {
      const next = piece(index)
      pieces.push(next)
      length += next.length + 1
    }
    return open + pieces.join(',') + close
  }
}

/** The text of JSON that is nested so deeply that it has the size. */
function nested(size: number, open: string, close: string): string {
  const levels = Math.floor(size / (open.length + close.length))
  return `${open.repeat(levels)}1${close.repeat(levels)}`
}

/** Lists: the last item is there twice, or it is of another kind than the others. */
function lists(fill: Fill): Record<string, string> {
  return {
    numbers: fill('[', String, ',0]'),
    'numbers, then an object': fill('[', String, ',{}]'),
    digits: fill('[', (index) => String(index % 10), ',0]'),
    'digits, then an object': fill('[', (index) => String(index % 10), ',{}]'),
    'digits, then a text': fill('[', (index) => String(index % 10), ',"x"]'),
    'digits in texts': fill('[', (index) => `"${index % 10}"`, ',"x"]'),
    'truths, then a text': fill('[', () => 'true', ',"x"]'),
    nulls: fill('[', () => 'null', ']'),
    'empty lists': fill('[', () => '[]', ',[0]]'),
    'empty objects': fill('[', () => '{}', ',{"a":0}]'),
    texts: fill('[', (index) => `"${index}"`, ',"0"]'),
    'texts, then a list': fill('[', (index) => `"${index}"`, ',[[0,1]]]'),
    'small lists': fill('[', (index) => `[${index}]`, ',[0]]'),
    'small lists, then a text': fill('[', (index) => `[${index}]`, ',"x"]'),
    'small objects': fill('[', (index) => `{"a":${index}}`, ',{"a":0}]'),
    'small objects, then a text': fill('[', (index) => `{"a":${index}}`, ',"x"]'),
    'lists in lists': fill('[', () => '[[[[[]]]]]', ']'),
    'objects that match many names': fill('[', (index) => `{"foo":${index},"bar":"x","baz":[1]}`, ']'),
    'objects of which each has another name': fill('[', (index) => `{"k${index}":1}`, ']'),
  }
}

function objects(fill: Fill, size: number): Record<string, string> {
  return {
    'many names': fill('{', (index) => `"n${index}":${index}`, '}'),
    'many names, and foo, bar and baz': fill('{"foo":1,"bar":2,"baz":[3],', (index) => `"n${index}":1`, '}'),
    'many names of integers': fill('{', (index) => `"${index}":0`, '}'),
    'many names of integers, far from each other': fill('{', (index) => `"${index * 16_384}":0`, '}'),
    'many names that match patterns': fill('{', (index) => `"f${index}oo":1`, '}'),
    'a list below foo': fill('{"foo":[', (index) => String(index % 10), ']}'),
    'a long name': `{"f${'o'.repeat(size)}":1}`,
  }
}

function deep(size: number): Record<string, string> {
  return {
    'objects in objects': nested(Math.min(size, 4000), '{"foo":', '}'),
    'objects in objects, as deep as the size allows': nested(size, '{"foo":', '}'),
    'lists in lists, as deep as the size allows': nested(size, '[', ']'),
    'nodes in nodes': nested(size, '{"value":1,"nodes":[{"subtree":', '}]}'),
  }
}

/** The same letters in each run: the bits of numbers that have no order. */
function randomLetters(size: number): string {
  let state = 1
  const letters: string[] = []
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    letters.push(state >>> 31 === 0 ? 'a' : 'b')
  }
  return letters.join('')
}

function texts(size: number): Record<string, string> {
  return {
    'a text': JSON.stringify('a'.repeat(size)),
    'a text of blanks': JSON.stringify(`${' '.repeat(size)}x`),
    'a text of surrogates': JSON.stringify('😀'.repeat(size / 4)),
    'a text of lone surrogates': `"${String.raw`\ud83d`.repeat(size / 6)}"`,
    'a text of labels': JSON.stringify(`http://${'a.'.repeat(size / 2)}`),
    'a text of addresses': JSON.stringify('a@b.'.repeat(size / 4)),
    'a text of a and b at random': JSON.stringify(randomLetters(size)),
    'a number of many digits': '1'.repeat(size),
  }
}

/** Bodies of a size that are dear for some keyword, as JSON, by what they hold. */
export function bodiesOf(size: number): Readonly<Record<string, string>> {
  const fill = filler(size)
  return { ...texts(size), ...lists(fill), ...objects(fill, size), ...deep(size) }
}
