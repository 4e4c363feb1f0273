// Roughly how a name sounds in English, for telling a misheard name from another name.

/** Names that are not spoken as they are spelt, respelt by sound. */
const RESPELT: Record<string, string> = {
  siobhan: 'shivawn',
  sean: 'shawn',
  shaun: 'shawn',
  niamh: 'neev',
  saoirse: 'sersha',
  aoife: 'eefa',
  eoin: 'owen',
  eoghan: 'owen',
  ciara: 'keera',
  caoimhe: 'keeva',
  orla: 'orla',
  grainne: 'grawnya',
  roisin: 'rosheen',
  sinead: 'shinade',
  padraig: 'pawdrig',
  cillian: 'killian',
  ciaran: 'keeran',
  geoffrey: 'jeffree',
  geoff: 'jeff',
  stephen: 'steeven',
  stephens: 'steevens',
  stephenson: 'steevenson',
  nguyen: 'win',
  joaquin: 'wakeen',
  jose: 'hozay',
  juan: 'wan',
  jorge: 'horhay',
  javier: 'haveeair',
  jesus: 'haysoos',
  julio: 'hooleeo',
  guillermo: 'geeairmo',
  xavier: 'zayveeer',
  xiao: 'shau',
  xu: 'shoo',
  qi: 'chee',
  zhang: 'jang',
  zhou: 'joe',
  zhao: 'jau',
  zhu: 'joo',
  phoebe: 'feebee',
  chloe: 'klowee',
  zoe: 'zowee',
  zoey: 'zowee',
  isla: 'ila',
  ian: 'eean',
  iain: 'eean',
  leigh: 'lee',
  lea: 'leea',
  leah: 'leea',
  lia: 'leea',
  john: 'jon',
  jon: 'jon',
  thomas: 'tomas',
  tomas: 'tomas',
  theresa: 'tereesa',
  anthony: 'antony',
  hugh: 'hyoo',
  hugo: 'hyoogo',
  yvonne: 'eevon',
  yvette: 'eevet',
  eve: 'eev',
  michelle: 'mishel',
  michele: 'mishel',
  michael: 'mikel',
  micheal: 'mikel',
  rachel: 'raychel',
  rachael: 'raychel',
  charlotte: 'sharlot',
  cheryl: 'sheril',
  charlene: 'sharleen',
  chantal: 'shantal',
  che: 'shay',
  katherine: 'kathrin',
  catherine: 'kathrin',
  katharine: 'kathrin',
  katelyn: 'kaytlin',
  mya: 'maya',
  cloe: 'klowee',
  khloe: 'klowee',
  pheobe: 'feebee',
  penelope: 'penelopee',
  xochitl: 'sochil',
  xochi: 'sochi',
  hermione: 'hermionee',
  persephone: 'persefonee',
  aaron: 'airon',
  erin: 'airin',
  imogen: 'imojen',
  george: 'jorj',
  georgia: 'jorja',
  gene: 'jeen',
  gina: 'jeena',
  gemma: 'jema',
  gianna: 'jeeana',
  giovanni: 'jeeovanee',
  giselle: 'jizel',
  gerald: 'jerald',
  gerard: 'jerard',
  giles: 'jiles',
  wojcik: 'voychik',
  kowalski: 'kovalskee',
  kowalsky: 'kovalskee',
  kovalski: 'kovalskee',
  louis: 'looee',
  lewis: 'looes',
  wright: 'rite',
  knight: 'nite',
  mcdonald: 'makdonald',
  macdonald: 'makdonald',
  schmidt: 'shmit',
  schneider: 'shnider',
  cohen: 'kowen',
  sarah: 'saira',
  sara: 'saira',
}

/** Spelling to sound, first match wins; upper case letters are sounds of two letters (S sh, C ch, T th, N ng, A ay, E ee, I eye, O oh, U oo). */
const RULES: [RegExp, string][] = [
  [/^kn|^gn|^pn/, 'n'],
  [/^wr|^rh/, 'r'],
  [/^ps/, 's'],
  [/^x/, 'z'],
  [/^mc|^mac(?=[^aeiouyk])/, 'mak'],
  [/^tch/, 'C'],
  [/^dm/, 'dim'],
  [/^dj/, 'J'],
  [/^tsch|^tch|^cz|^ch/, 'C'],
  [/^sch|^sh|^sz/, 'S'],
  [/^ph/, 'f'],
  [/^(?:augh|ough)(?=t)/, 'o'],
  [/^ghy?(?=[aeiou])/, 'g'],
  [/^igh/, 'I'],
  [/^gh/, ''],
  [/^ck|^cc(?=[^eiy])|^kh/, 'k'],
  [/^qu/, 'kw'],
  [/^dge|^dg/, 'J'],
  [/^th/, 'T'],
  [/^wh/, 'w'],
  [/^mb$/, 'm'],
  [/^bh/, 'b'],
  [/^dh/, 'd'],
  [/^zh/, 'Z'],
  [/^ng$|^ng(?=[^aeiouy])/, 'N'],
  [/^nk/, 'Nk'],
  [/^tion|^sion/, 'San'],
  [/^c(?=[eiy])/, 's'],
  [/^c|^k|^q/, 'k'],
  [/^ge$/, 'J'],
  [/^g(?=[iy])/, 'J'],
  [/^j/, 'J'],
  [/^x/, 'ks'],
  [/^s$/, 's'],
  [/^ie(?=n)/, 'ie'],
  [/^(?:ay|ai|ey(?=.)|ei|ae)/, 'A'],
  [/^(?:ee|ea|ie|ey$|y$|i$|ii|iy)/, 'E'],
  [/^(?:oa|ow|oe|ou(?=l)|o$)/, 'O'],
  [/^(?:oo|ou|ew|ue|ui|uu)/, 'U'],
  [/^(?:au|aw)/, 'o'],
  [/^h(?=[aeiouy])/, 'h'],
  [/^h/, ''],
  [/^aa/, 'a'],
  [/^e$/, ''],
  [/^y(?=[aeiou])/, 'y'],
  [/^y/, 'i'],
]
const CACHE = new Map<string, string>()

/** The sounds of a word, one letter each. */
export function soundsOf(word: string): string {
  const known = CACHE.get(word)
  if (known !== undefined) return known
  const plain = (RESPELT[word] ?? word).replaceAll(/[^a-z]/g, '').replaceAll(/([b-df-hj-np-tv-z])\1+/g, '$1')
  let rest = plain
  let sounds = ''
  while (rest !== '') {
    const rule = RULES.find(([pattern]) => pattern.test(rest) && (sounds === '' || !STARTS_ONLY.has(pattern)))
    const taken = rule ? (rule[0].exec(rest)?.[0].length ?? 1) : 1
    const sound = rule ? rule[1] : (rest[0] ?? '')
    if (sounds.at(-1) !== sound) sounds += sound
    rest = rest.slice(Math.max(taken, 1))
  }
  if (sounds === '') sounds = plain
  if (CACHE.size < 20_000) CACHE.set(word, sounds)
  return sounds
}
const STARTS_ONLY = new Set(RULES.slice(0, 8).map(([pattern]) => pattern))

const VOWELS = 'aeiouAEIOU'
/** Pairs of sounds that people and engines take for one another, with what it costs to do so. */
const NEAR: Record<string, number> = Object.fromEntries(
  (
    [
      [0.1, 'Ei Oo Uu'],
      [0.15, 'ao au'],
      [0.2, 'JZ Ey Ae AI Ee ei ae'],
      [0.25, 'sz iy aA ai'],
      [0.3, 'fv SZ Tt Nn vw Ie Ii oU'],
      [0.35, 'dt'],
      [0.4, 'bp gk CS CJ JY'],
      [0.5, 'Tf mn Ss Ck Jg Jy'],
      [0.6, 'hk'],
    ] as const
  ).flatMap(([cost, pairs]) =>
    pairs.split(' ').flatMap((pair) => [
      [pair, cost],
      [`${pair[1]}${pair[0]}`, cost],
    ]),
  ),
)

function swapCost(one: string, other: string): number {
  if (one === other) return 0
  return NEAR[one + other] ?? (VOWELS.includes(one) && VOWELS.includes(other) ? 0.4 : 1)
}
function dropCost(sound: string): number {
  return sound === 'h' ? 0.5 : VOWELS.includes(sound) ? 0.5 : 'td'.includes(sound) ? 0.8 : 1
}

/** How alike two words sound: 1 the same, 0 nothing in common. */
export function alike(one: string, other: string): number {
  const [a, b] = [soundsOf(one), soundsOf(other)]
  if (a === b) return 1
  // Every sound too many costs at least a half, so that words of very different lengths need no comparing.
  if (Math.abs(a.length - b.length) > 0.6 * Math.max(a.length, b.length)) return 0
  // Nor do words whose first consonants no one takes for one another.
  if (!/[aeiouAEIOUh]/.test((a[0] ?? 'a') + (b[0] ?? 'a')) && swapCost(a[0] ?? '', b[0] ?? '') === 1) return 0
  let row = Array.from({ length: b.length + 1 }, (_, count) =>
    b
      .slice(0, count)
      .split('')
      .reduce((sum, sound) => sum + dropCost(sound), 0),
  )
  for (const sound of a) {
    const next = [(row[0] ?? 0) + dropCost(sound)]
    for (let place = 1; place <= b.length; place += 1) {
      const other_ = b[place - 1] ?? ''
      next.push(
        Math.min(
          (row[place] ?? 0) + dropCost(sound),
          (next[place - 1] ?? 0) + dropCost(other_),
          (row[place - 1] ?? 0) + swapCost(sound, other_),
        ),
      )
    }
    row = next
  }
  return Math.max(0, 1 - (row[b.length] ?? 0) / Math.max(a.length, b.length))
}
