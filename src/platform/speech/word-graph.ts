// Reads the recognizer's word graph, which contains every interpretation of the audio, and finds whole
// transcripts and their probabilities. The graph's own word probabilities are based on pairs of words. We use
// trigrams instead, as the recognizer does for its best transcript.

/** The natural logarithm of a word's probability after two other words. '' means there's no word. */
type LogProbability = (beforeLast: string, last: string, word: string) => number

export interface Hypothesis {
  text: string
  /** Relative to the other transcripts that were found. */
  probability: number
}

/**
 * The recognizer's settings (-bestpathlw, -wip, -silprob, -fillprob). With these, our best transcript matches
 * the recognizer's.
 */
const LANGUAGE_WEIGHT = 9.5
const WORD_PENALTY = Math.log(0.65)
const FILLERS: Record<string, number> = {
  '<sil>': Math.log(0.005),
  '[NOISE]': Math.log(1e-8),
  '[SPEECH]': Math.log(1e-8),
}
/** The base of the scores' logarithms. */
const BASE = Math.log(1.0001)
/**
 * Scores are divided by this before being used as log probabilities, because consecutive sounds are less
 * independent than the acoustic model assumes. On 351 clips, values from 10 to 25 were equally good at
 * telling correct results from incorrect ones.
 */
const SPREAD = 15

interface Node {
  /** Empty for silence and noise. */
  word: string
  /** The cost of reaching this node, not counting the language model. */
  toll: number
  links: { to: number; score: number }[]
}

interface Path {
  score: number
  beforeLast: string
  last: string
}

/**
 * Transcripts are built up word by word, and each is identified by a number. Comparing strings would be slow
 * for two minutes of speech.
 */
class Texts {
  readonly #words: { before: number; word: string }[] = [{ before: 0, word: '' }]
  readonly #longer = new Map<string, number>()

  /** Returns the number of the transcript with one more word. 0 is the empty transcript. */
  longer(text: number, word: string): number {
    const key = `${text} ${word}`
    const known = this.#longer.get(key) ?? this.#words.push({ before: text, word }) - 1
    this.#longer.set(key, known)
    return known
  }

  written(text: number): string {
    const words: string[] = []
    for (let at = text; at > 0; at = this.#words[at]?.before ?? 0) words.push(this.#words[at]?.word ?? '')
    return words.reverse().join(' ')
  }
}

/**
 * Returns the most likely transcripts in a graph in Sphinx 3 format, best first. Returns none if the graph is
 * broken.
 * @param most how many transcripts to return
 */
export function likelyTexts(graph: string, logProbability: LogProbability, most: number): Hypothesis[] {
  const { nodes, start } = parse(graph)
  const texts = new Texts()
  const ways = new Map<number, Map<number, Path>>([
    [start, new Map([[0, { score: 0, beforeLast: '', last: '<s>' }]])],
  ])
  const ends = new Map<number, Path>()
  for (const at of inOrder(nodes)) {
    const { links = [] } = nodes[at] ?? {}
    for (const [text, path] of best(ways.get(at), most)) {
      if (links.length === 0) keepBetter(ends, text, path)
      for (const { to, score } of links) {
        const { word = '', toll = 0 } = nodes[to] ?? {}
        const languageScore =
          word === '' ? 0 : LANGUAGE_WEIGHT * logProbability(path.beforeLast, path.last, word)
        const next = word === '' ? path : { beforeLast: path.last, last: word }
        const reached = ways.get(to) ?? new Map<number, Path>()
        ways.set(to, reached)
        keepBetter(reached, word === '' || word === '</s>' ? text : texts.longer(text, word), {
          ...next,
          score: path.score + score + toll + languageScore,
        })
      }
    }
    ways.delete(at)
  }

  const found = best(ends, most).filter(([, { last }]) => last === '</s>')
  const top = found[0]?.[1].score ?? 0
  const weights = found.map(([, { score }]) => Math.exp((score - top) / SPREAD))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return found.map(([text], index) => ({
    text: texts.written(text),
    probability: (weights[index] ?? 0) / total,
  }))
}

/** All words in a graph, including duplicates. */
export function wordsOfGraph(graph: string): string[] {
  return parse(graph).nodes.map(({ word }) => word)
}

function parse(graph: string): { nodes: Node[]; start: number } {
  const nodes: Node[] = []
  for (const [, index, written = ''] of graph.matchAll(/^(\d+) (\S+) \d+ \d+ \d+ ; \S+$/gm)) {
    const filler = FILLERS[written]
    nodes[Number(index)] = {
      word: filler === undefined ? written.replace(/\(\d+\)$/, '') : '',
      toll: filler ?? (written === '</s>' ? 0 : WORD_PENALTY),
      links: [],
    }
  }
  for (const [, from, to, score] of graph.matchAll(/^(\d+) (\d+) (-?\d+)$/gm)) {
    if (nodes[Number(to)]) nodes[Number(from)]?.links.push({ to: Number(to), score: Number(score) * BASE })
  }
  return { nodes, start: Number(/^Initial (\d+)$/m.exec(graph)?.[1] ?? -1) }
}

/** The nodes in topological order: each comes after all its predecessors. */
function inOrder(nodes: Node[]): number[] {
  const leading = nodes.map(() => 0)
  for (const { links } of nodes) for (const { to } of links) leading[to] = (leading[to] ?? 0) + 1
  const order = [...leading.keys()].filter((at) => leading[at] === 0)
  for (const at of order)
    for (const { to } of nodes[at]?.links ?? [])
      if ((leading[to] = (leading[to] ?? 0) - 1) === 0) order.push(to)
  return order
}

function best(paths: Map<number, Path> | undefined, most: number): [number, Path][] {
  return [...(paths ?? [])].sort(([, one], [, other]) => other.score - one.score).slice(0, most)
}

function keepBetter(paths: Map<number, Path>, text: number, path: Path): void {
  if (!((paths.get(text)?.score ?? -Infinity) >= path.score)) paths.set(text, path)
}
