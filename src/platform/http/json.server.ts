// Parses JSON bodies more strictly than JSON.parse: rejects duplicate names and deep nesting (promises I5,
// I14).

const MAX_DEPTH = 12

/** Parses JSON; throws a SyntaxError for invalid JSON, a duplicate name or nesting deeper than 12 levels. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  checkStructure(text)
  return value
}

// At this point, the text is known to be valid JSON, so a single pass over the strings and brackets is
// enough.
function checkStructure(text: string): void {
  const names: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') {
      if (names.push(character === '{' ? new Set() : null) > MAX_DEPTH)
        throw new SyntaxError('nested too deeply')
    } else if (character === '}' || character === ']') {
      names.pop()
    } else if (character === '"') {
      const end = endOfString(text, at)
      if (/^\s*:/.test(text.slice(end + 1, end + 64))) addName(names.at(-1), text.slice(at, end + 1))
      at = end
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function addName(names: Set<string> | null | undefined, quoted: string): void {
  const name = JSON.parse(quoted) as string
  if (name === '__proto__' || names?.has(name))
    throw new SyntaxError(`the name ${quoted} is not allowed here or given twice`)
  names?.add(name)
}
