// How sure the recognizer is of each word, from the lines of its CTM report: 'name channel start length word probability'.

/** The words of a text with their places in it, in characters, and their probabilities. Lines that do not follow the text are passed over. */
export function wordsIn(text: string, report: string): { from: number; to: number; probability: number }[] {
  let at = 0
  return report.split('\n').flatMap((line) => {
    const [, , , , written = '', probability] = line.split(' ')
    const word = written.replace(/\(\d+\)$/, '')
    const from = text[at] === ' ' ? at + 1 : at
    if (word === '' || !`${text} `.startsWith(`${word} `, from) || !(Number(probability) >= 0)) return []
    at = from + word.length
    return [{ from, to: at, probability: Number(probability) }]
  })
}
