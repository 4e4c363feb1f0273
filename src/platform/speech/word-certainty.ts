// How sure the recognizer is of each word, from the lines of its CTM report: 'name channel start length word probability'.

/** The stretches of a text, in characters, whose words have a probability below the least. A report of other words says nothing. */
export function unsureIn(text: string, report: string, least: number): { from: number; to: number }[] {
  const unsure: { from: number; to: number }[] = []
  let at = 0
  for (const line of report.trim().split('\n')) {
    const [, , , , written = '', probability] = line.split(' ')
    const word = written.replace(/\(\d+\)$/, '')
    const from = text[at] === ' ' ? at + 1 : at
    if (word === '' || !`${text} `.startsWith(`${word} `, from)) continue
    at = from + word.length
    if (Number(probability) < least) unsure.push({ from, to: at })
  }
  return unsure
}
