// Builds a language model from sentences: Witten-Bell trigrams in ARPA format. Everyday words are added as
// unigrams, so that words outside the sentences can be recognized too.

interface Background {
  /** A word and its frequency in everyday speech. */
  words: Map<string, number>
  /** The share of the unigram probability that everyday words get, from 0 to 1. */
  share: number
}

const START = '<s>'
const END = '</s>'

/** Builds a model from the sentences. Its vocabulary is the words in them plus the everyday words. */
export function arpaModel(
  sentences: string[],
  background: Background,
): { arpa: string; vocabulary: Set<string> } {
  const counts: Map<string, Map<string, number>>[] = [new Map(), new Map(), new Map()]
  for (const sentence of sentences) {
    const words = [START, ...sentence.split(' '), END]
    for (let at = 1; at < words.length; at++) {
      for (let order = 0; order < 3 && order <= at; order++)
        add(
          counts[order] as Map<string, Map<string, number>>,
          words.slice(at - order, at).join(' '),
          words[at] as string,
        )
    }
  }

  const unigrams = unigramsOf(counts[0]?.get('') ?? new Map(), background)
  const bigrams = new Map<string, number>()
  const trigrams = new Map<string, number>()
  const weights = new Map<string, number>()
  for (const [order, known, lower] of [
    [1, bigrams, (_: string, word: string) => unigrams.get(word) ?? 0],
    [2, trigrams, lowerOf],
  ] as const) {
    for (const [history, following] of counts[order] ?? []) {
      const total = [...following.values()].reduce((sum, count) => sum + count, 0)
      const weight = following.size / (total + following.size)
      weights.set(history, weight)
      for (const [word, count] of following)
        known.set(`${history} ${word}`, count / (total + following.size) + weight * lower(history, word))
    }
  }

  // An unseen bigram backs off to the unigram of its last word.
  function lowerOf(history: string, word: string): number {
    const last = history.slice(history.indexOf(' ') + 1)
    return bigrams.get(`${last} ${word}`) ?? (weights.get(last) ?? 1) * (unigrams.get(word) ?? 0)
  }

  const line = ([words, probability]: [string, number]) => {
    const weight = weights.get(words)
    return `${probability > 0 ? Math.log10(probability).toFixed(4) : '-99'} ${words}${weight === undefined ? '' : ` ${Math.log10(weight).toFixed(4)}`}`
  }
  const parts = [[[START, 0], ...unigrams] as [string, number][], [...bigrams], [...trigrams]]
  const arpa = [
    '\\data\\',
    ...parts.map((part, order) => `ngram ${order + 1}=${part.length}`),
    ...parts.flatMap((part, order) => ['', `\\${order + 1}-grams:`, ...part.map(line)]),
    '',
    '\\end\\',
    '',
  ].join('\n')
  return { arpa, vocabulary: new Set([...unigrams.keys()].filter((word) => word !== END)) }
}

/**
 * Reads a model's entries for these words and for sentence boundaries. Returns a function that gives the
 * natural logarithm of a word's probability after two other words ('' if there's no word).
 */
export function probabilitiesOf(
  arpa: string,
  words: Iterable<string>,
): (beforeLast: string, last: string, word: string) => number {
  const wanted = new Set([START, END, ...words])
  const known = new Map<string, { probability: number; weight: number }>()
  for (const line of arpa.split('\n')) {
    const [probability, ...rest] = line.split(' ')
    const weight = /\d$/.test(rest.at(-1) ?? '') ? Number(rest.pop()) : 0
    if (rest.length > 0 && rest.every((word) => wanted.has(word)))
      known.set(rest.join(' '), { probability: Number(probability) * Math.LN10, weight: weight * Math.LN10 })
  }
  const weightOf = (history: string): number => known.get(history)?.weight ?? 0
  const single = (word: string): number => known.get(word)?.probability ?? UNKNOWN
  const afterOne = (last: string, word: string): number =>
    known.get(`${last} ${word}`)?.probability ?? weightOf(last) + single(word)
  return (beforeLast, last, word) =>
    known.get(`${beforeLast} ${last} ${word}`)?.probability ??
    weightOf(`${beforeLast} ${last}`) + afterOne(last, word)
}
/** A word that isn't in the model. */
const UNKNOWN = -30

function unigramsOf(counts: Map<string, number>, { words, share }: Background): Map<string, number> {
  const countsTotal = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const wordsTotal = [...words.values()].reduce((sum, weight) => sum + weight, 0) || 1
  const own = words.size ? 1 - share : 1
  const result = new Map<string, number>()
  for (const [word, count] of counts) result.set(word, (own * count) / countsTotal)
  for (const [word, weight] of words)
    result.set(word, (result.get(word) ?? 0) + (share * weight) / wordsTotal)
  return result
}

function add(counts: Map<string, Map<string, number>>, history: string, word: string): void {
  const following = counts.get(history)
  if (following) following.set(word, (following.get(word) ?? 0) + 1)
  else counts.set(history, new Map([[word, 1]]))
}
