// What a lesson cost: a rate for the hour, a total that is divided by the time, or nothing at all.
import type { Minutes } from '#kernel/duration.ts'
import { type Cents, cents, MAX_RATE, priceOf } from '#kernel/money.ts'
import { FREE, REFUSED } from './free-lesson.ts'
import { claim, phrase, type Token } from './spoken-line.ts'

/**
 * An amount that was said. `rate` is for an hour; `total` is for the lesson in so many words; `paid` follows a verb such as charged, `at` and `bare`
 * have no such word; `share` is a part of the tutor's usual rate; `shift` is more or less than that rate, `off` less for the lesson; `fee` is for something else, and `usual` names no amount.
 */
export interface SaidMoney {
  slot: 'money'
  kind: 'rate' | 'total' | 'paid' | 'at' | 'bare' | 'share' | 'shift' | 'off' | 'fee' | 'usual'
  /** Cents, or for `share` the factor. */
  amount: number
}

const NUMBER = '[0-9]+(?:[.][0-9]{1,2})?'
const DOLLARS = '(?:dollars|euros|euro|pounds|quid)'
/** With a sign or a word for the currency. */
const CLEAR = `(?:[$]${NUMBER}(?: dollars)?(?: and [0-9]{1,2} cents)?|${NUMBER}(?: [0-9]{1,2})?(?: and a half)? ${DOLLARS}(?: (?:and )?[0-9]{1,2}(?: cents)?(?! (?:minute|hour)))?|[1-9] (?:oh [1-9]|[0-9]{2}) ${DOLLARS})`
/** A number alone; two in a row are dollars and cents ('42 50') or hundreds ('1 20'). */
const PLAIN = `(?:[1-9] [1-9][0-9] [1-9][0-9]|[$]?${NUMBER}(?: [1-9][0-9]|(?<=[0-9]) oh [1-9]| and a half)?)`
const AMOUNT = `(?:${CLEAR}|${PLAIN})`
const PER_HOUR =
  '(?:(?:an|a|per|each|every|the|by the|for each|for every|1) (?:1 )?hour|hourly|ph|p per h|p h|per h|for hour(?! and| @)|per(?= |$))'
const ABOUT =
  '(?:(?:a|about|around|exactly|only|just|roughly|like|an even|a flat|flat|a discounted|a reduced|a total of|total of|us|me|him|her|them|in|the|it|was|is|of|at|for it|to|total|you|both) ){0,4}'
const NO_UNIT =
  '(?! (?:minute|hour|percent|problems|questions|pages|points|times|chapters|words|out|of|am|pm|oclock|days|weeks|on (?:the|his|her))(?= |$))'
const THING = `
  (?:book|books|textbook|workbook|workbooks|materials|supplies|gas|parking|tip|snack|snacks|lunch|uber|bus|taxi|app|printing|printouts|calculator|sheet music|music|strings|exam fee|fee|
  registration|travel|transport|mileage|tolls|coffee|deposit|late fee|kit|copies|paint|equipment|flashcards|test fee|photocopies|room|notebook|notebooks)`

const FEE = phrase(`
  (?:plus|and|also|an extra|extra|another|additional|with)? ?(?:an? |another |extra |additional )*${AMOUNT} (?:extra |more )?(?:(?:for|on|in|toward|towards) (?:the |a |an |some |her |his |
  new |their )*(?:[a-z]+ )?${THING}|tip|deposit|${THING})|(?:tip|tipped|bought|book was|book cost|materials cost|materials were|parking was|parking cost|lunch was)(?: (?:him|her|of|a|the|was|
  another|book|for|an|extra))* ${AMOUNT}(?! an hour)|(?:instead of|not|rather than|up from|down from|raised from|went up from|changed from|usually|normally|used to be|used to charge|
  last time was|was) ${AMOUNT}(?: ${PER_HOUR})?(?= (?:to|but|it|it's|now|instead|and now) )|(?:instead of|not|rather than|up from|down from)(?: the usual| his usual|
   her usual)? ${AMOUNT}(?: ${PER_HOUR})?${NO_UNIT}`)
const ERRAND =
  '(?:parking|gas|petrol|snacks|lunch|dinner|pizza|coffee|bus|taxi|uber|cab|tolls?|tickets?|groceries|shoes|train|fuel|fares?|textbook|workbook|calculator|materials|haircut|dentist|uniform|school|camp|present|gift)'
/** The price of something else: 'costs 60k a year', 'parking, 12 quid', 'bought shoes for eighty', 'the ninety I owed from March'. */
const OTHER = phrase(`
  (?:costs?|costing|for|is|was|at|pays|makes|paying) (?:about |over |around )?${AMOUNT} (?:k|grand|million)(?: (?:a|per) (?:year|semester|term))?|${AMOUNT} (?:k|grand|million) (?:a|per) (?:year|semester|term)|
  spent(?: [@a-z]+){0,2} ${AMOUNT} (?:on|at)(?! (?:the|a|this|his|her|@person) (?:lesson|session|tutor|hour))|(?:weigh|weighs|weighed|lost|gained|lifted|benched) (?:about |over )?${AMOUNT}|(?:costs?|for|is|was|at)? ?${AMOUNT} (?:a|per|each|every) (?:year|month|semester|term|week|day|ticket|person|kid|head|night|gallon|pound|bag|box|copy)|
  ${ERRAND} (?:(?:was|were|cost|costs|came to|comes to|is|for|at|about|around|only|us|me|set us back|ran us) )+${AMOUNT}(?! (?:an hour|minute|hour))|${ERRAND} (?:about )?${CLEAR}(?! an hour)|(?:bought|buy|buying|ordered|sold)(?! (?:an? )?hour) (?:(?!hour |minute |lesson |session |and |then )[@a-z]+ ){1,6}${AMOUNT}|
  (?:(?:still |also )?(?:owe|owes|owed|paid|pay|gave|plus|and)(?: (?:him|her|them|me|us|@person))?(?: (?:the|another|also|back))* )?${AMOUNT}(?: (?:that |which )?(?:i|we|she|he|they) (?:still |also )*(?:owe|owed|owes)(?: (?:him|her|them|me|us))?)? (?:from|since|for) (?:last (?:week|month|time|year)|the (?:last|previous|other) (?:week|month|time|lesson|session)|before|the (?:week|month|time) before|january|february|march|april|may|june|july|august|september|october|november|december)`)
const USUAL = phrase(
  '(?:at |for |with )?(?:(?:the|his|her|their|our|a) )?(?:(?:usual|normal|regular|standard|same|default) )+(?:hourly )?(?:rate|price|fee|amount|charge)(?: as (?:always|usual|before|last time))?',
)
const SHARE = phrase(`
  (?<!hour and |and a )(?:at |for )?(?:half|double|twice|1 and a half times)(?: of)? (?:(?:the|his|her|their) )?(?:(?:usual|normal|regular|standard) )?(?:hourly )?(?:rate|price|fee)(?! (?:(?:is|was|it's) )?[$]?[0-9])|(?:at )?half off|
  (?:at |for )?time and a half|(?:at )?double time|50 percent (?:off|discount)`)
const DISCOUNT = phrase(
  '(?:at |with |for |minus |less )?(?:an? |his |her |the )?(?<part>[1-9][0-9]?) percent (?:off|discount|cheaper|reduction|less)(?: (?:the |his |her |their )?(?:usual|normal|regular)(?: (?:rate|price))?)?',
)
/** 'Five dollars less than usual', 'ten off'. */
const SHIFT = phrase(
  `(?:for |at )?(?<amount>${AMOUNT}) (?:an hour )?(?<way>less|cheaper|lower|under|below|more|extra|higher|above|over)(?: an hour)? (?:than )?(?:(?:the|his|her|their|our) )?(?:usual|normal|usually|normally|standard|regular|before|last time)(?: (?:rate|price|fee))?`,
)
const OFF = phrase(
  `(?:(?:took|knocked|gave|takes|knocks|with|gave us|gave me|minus) )?(?:off )?(?:an? )?(?<amount>${CLEAR}|(?<=(?:took|knocked) )[0-9]+) (?:off(?! (?:@person|@stranger|him|her|them|of))|discount)(?= |$)|(?:knocked|took) off (?<after>${AMOUNT})`,
)
const PER_PART = phrase(`
  (?:at |for |charged |charges |paid )?(?<amount>${AMOUNT}) (?:per|a|for each|every|each|for every|the|an) (?<part>half hour|half an hour|half|30 minute|quarter hour|15 minute|
  quarter of an hour|45 minute|20 minute|90 minute|minute)(?! (?:lesson|session|and))`)
const CLEAR_RATE = phrase(
  `(?:at |for )?(?:${ABOUT})(?:rate of )?(?<amount>${CLEAR}) ${PER_HOUR}(?: rate)?(?! and a (?:half|quarter)| (?:and )?[0-9]+ minute)`,
)
/** 'An extra five an hour'. */
const EXTRA = phrase(`(?:an )?extra (?<amount>${AMOUNT}) ${PER_HOUR}`)
/** 'I pay fifty dollars for one hour', where another time is said before it. */
const FOR_ONE = phrase(
  `(?:(?:pays?|paid|paying|charged?|charges|costs?|takes?|price (?:is|was)) (?:me |us |her |him )?)(?<amount>${AMOUNT}) for (?:1|an|each|every) hour(?! (?:and|of|with|[0-9]|long|lesson|session))`,
)
const PLAIN_RATE = ['(?: rate)?', ''].map((rate) =>
  phrase(
    `(?:at )?(?<amount>${PLAIN}) ${PER_HOUR}${rate}(?! (?:and a|and 3|long|lesson|session|[0-9]+ minute|and [0-9]+ minute))`,
  ),
)
const NAMED_RATE = phrase(`
  (?:hourly rate|pay rate|rate override|rate|hourly)(?: (?:is|was|went up|has gone up|goes up|increased|raised|changed|now|has|of|at|set to|set at|to|this time|for this one|for @person|with @person|for this|today|it|
  will be|should be|a|override))* (?<amount>${AMOUNT})${NO_UNIT}(?: ${PER_HOUR})?`)
const TOTAL = phrase(`
  (?:(?:(?<!hour (?:and )?)|(?=[$]|[6-9][0-9](?: |$)|[1-5][1-46-9](?: |$)|[1-9][0-9]{2}))(?:(?:sent|handed|slipped|transferred)(?: (?:him|her|them|us|me|@person))? |for |was |is )?(?<amount>${AMOUNT}) (?:in total|total|altogether|all together|in all|all in|all up|all told|the lot|in the end|inclusive|in cash|cash|(?:by |via |on |through )?(?:venmo|zelle|paypal|check|cheque|bank transfer)|for (?:it|that|this|them|all of it|both|the lot|the pair|everything)(?: (?:all|together))?|flat|even|overall|for everything|for the (?:whole |full |entire |1 |
  single )?(?:lesson|session|class|thing|visit|lot|evening|afternoon|morning|time)|(?:per|a|each|for each|for 1|for a|for that|for this) (?:session|lesson|class|visit)|for it all)(?= |$)|
  (?:for |was |is )?(?<whole>${AMOUNT})(?= for (?:@person |the |both )(?:[0-9.]+ |full |whole |half |1 |and |a )*(?:hour|minute|lessons|sessions))|(?:total|totaled|totalled|totaling|in total|
  altogether|all together|in all|grand total|total cost|total price)(?: (?:was|is|of|came to|comes to|we paid|i paid|it was|it came to|that was|paid|cost|it cost|:|to|
  for))* (?<after>${AMOUNT})${NO_UNIT})`)
const PAID_FOR = phrase(`
  (?:charged|charges|charge|paid|pay|cost|costs|owe|owed|gave|billed|for)(?: [@a-z]+){0,2} (?<amount>${AMOUNT}) for (?=(?:@person )?(?:an?|the|[0-9.]+|half|about|1|our|her|his|a full|
  3 quarters|both|that) (?:hour|minute|[a-z]+ minute|half|quarter|couple|full|and a half|[a-z]* ?(?:hour|minute)))`)
const PAID = phrase(`
  (?:charged|charges|charging|charge|paid|paying|pay|cost|costs|costing|owe|owes|owed|billed|bills|invoiced|venmoed|zelled|fee|price|bill|payment|came to|comes to|came out to|worked out to|
  set us back|gave|sent|handed|handed over|slipped|transferred|wired|cashapped|paypaled|paypalled|ran us|ran me|wrote (?:him|her|them|@person) a (?:check|cheque) for|
  (?:got|earned|made|received|collected|pocketed|was paid|got paid|were paid)(?=(?: about| around| exactly)? (?:[$][0-9]|[0-9.]+ dollars))|(?:wanted|asked|asks|asking|took|takes|taking)(?: for)?(?=(?: [a-z]+){0,3} [$]?[0-9.]+ (?:dollars|bucks|for (?:it|the|that|@person)|an hour|this time|now|today|instead|@money)(?= |$)))(?: (?:mister [a-z]+|missus [a-z]+|miss [a-z]+|doctor [a-z]+|him|her|them|us|me|the tutor|@person (?:mom|mother|dad|father|parents|family)|@person|
  [a-z]+))? (?:${ABOUT})(?<amount>${AMOUNT})${NO_UNIT}(?! (?:late|more problems))`)
const SO = phrase(`(?:so|that's|that is|makes it|which is|makes) (?<amount>${AMOUNT})(?=$)`)
const AT = phrase(
  `(?:at|@)(?: a| about)? (?:(?<clear>${CLEAR})|(?<plain>${PLAIN}))${NO_UNIT}(?= (?:and|no|wait|sorry|actually|oops|scratch|make|but|so|because|since|then|for|with|he|she|we|they|it|notes|note|covered|working|on|yesterday|today|@|her|his|per|worked|please|thanks|[a-z]+ (?:was|did|had))|$)`,
)
/** 'Two hours @ 42 physics': the sign stands before no place and no time of day where a length of time goes before it. */
const AT_SIGN = phrase(`(?<=(?:hour|minute|@minutes) )at (?<amount>${PLAIN})${NO_UNIT}`)
const BARE = phrase(`(?:for |about )?(?<amount>${CLEAR})`)

/** 'For forty five on Friday' where the time is told otherwise, 'fifty five each'. */
const PLAIN_FOR = phrase(
  `(?:(?:for|this time) (?:an? (?=(?:10|20|50|100)(?: @|$)))?(?<amount>[0-9]{2,3})(?= (?:@money|@day|plus|altogether|with @person|because|since|as)|$)|(?<!\\b(?:did|read|solved|wrote|got|scored|answered|learned|learnt|had|of|about) )(?<each>[0-9]{2,3}) (?:each|apiece)|(?<=hour )(?<amount2>[6-9][0-9]|[1-5][1-46-9]|1[0-9]{2})(?= (?:because|since|cause|cash|so)(?= |$)|$)|(?<alone>[0-9]{2,3}(?:[.][0-9]{2})?)(?= (?:because|since|cause|as|plus|this time|instead|@money|[a-z@])|$))(?! [0-9])`,
)
const AGAIN = phrase(
  `(?<=@money (?:(?:no|sorry|wait|hold on|hang on|i mean|i meant|meant|actually|make that|oops|whoops|rather|or rather|scratch that|scrap that|correction|my mistake|my bad|it was|that was|nope|nah|well|only|let's say|should be|i lie|i tell a lie|apologies|oh|excuse me|pardon|at) )+)(?<amount>${AMOUNT})${NO_UNIT}(?! (?:of|${THING}))`,
)

/** Marks every amount of money. */
export function claimMoney<Said>(start: Token<Said | SaidMoney>[]): Token<Said | SaidMoney>[] {
  const money = (
    kind: SaidMoney['kind'],
    text: string | undefined,
    least = 0,
    times = 1,
  ): SaidMoney | undefined => {
    const amount = amountOf(text ?? '')
    // '1600' without a sign is a time of day or a year.
    return amount === undefined ||
      amount < least ||
      (amount >= 100_000 && /^\d{4}$/.test(text ?? '')) ||
      amount * times > 10 * MAX_RATE
      ? undefined
      : { slot: 'money', kind, amount: Math.round(amount * times) }
  }
  const isClear = (text: string | undefined): boolean => /[$]|dollars|euro|pounds|quid/.test(text ?? '')
  let line = claim(start, FREE, '@money', (): SaidMoney => ({ slot: 'money', kind: 'rate', amount: 0 }))
  line = claim(line, REFUSED, '@money', (): SaidMoney => ({ slot: 'money', kind: 'rate', amount: 0 }))
  line = claim(line, DISCOUNT, '@money', ({ groups }): SaidMoney => ({
    slot: 'money',
    kind: 'share',
    amount: (100 - Number(groups?.part)) / 100,
  }))
  line = claim(line, SHIFT, '@money', ({ groups }) => {
    const shift = money('shift', groups?.amount)
    return (
      shift && {
        ...shift,
        amount: /^(?:more|extra|higher|above|over)$/.test(groups?.way ?? '') ? shift.amount : -shift.amount,
      }
    )
  })
  line = claim(line, OFF, '@money', ({ groups }) => money('off', groups?.amount ?? groups?.after))
  line = claim(line, SHARE, '@money', ({ 0: text }): SaidMoney => ({
    slot: 'money',
    kind: 'share',
    amount: /half times|time and a half/.test(text) ? 1.5 : /double|twice/.test(text) ? 2 : 0.5,
  }))
  line = claim(line, USUAL, '@money', (): SaidMoney => ({ slot: 'money', kind: 'usual', amount: 0 }))
  line = claim(line, OTHER, '@money', ({ 0: text }) =>
    /[$0-9]/.test(text) ? { slot: 'money', kind: 'fee', amount: 0 } : undefined,
  )
  line = claim(line, FEE, '@money', ({ 0: text }, { from, to }) =>
    /[$0-9]/.test(text) &&
    !(line[from - 1]?.text === 'hour' && line.slice(from + 1, to).some(({ breaks }) => breaks !== ''))
      ? { slot: 'money', kind: 'fee', amount: 0 }
      : undefined,
  )
  line = claim(line, PER_PART, '@money', ({ groups }) => {
    const minutes = groups?.part?.startsWith('half')
      ? 30
      : groups?.part?.startsWith('quarter')
        ? 15
        : groups?.part === 'minute'
          ? 1
          : Number.parseInt(groups?.part ?? '', 10)
    return money('rate', groups?.amount, minutes === 1 ? 25 : 500, 60 / minutes)
  })
  line = claim(line, EXTRA, '@money', ({ groups }) => money('shift', groups?.amount))
  line = claim(line, FOR_ONE, '@money', ({ groups }, { from }) =>
    line.slice(0, from).some(({ text }) => /^(?:@minutes|hour|minute)$/.test(text))
      ? money('rate', groups?.amount, 500)
      : undefined,
  )
  line = claim(line, CLEAR_RATE, '@money', ({ groups }) => money('rate', groups?.amount))
  for (const pattern of PLAIN_RATE)
    line = claim(line, pattern, '@money', ({ groups }, { to, from }) => {
      // 'at 5 an hour of algebra', 'algebra 2, an hour with': a small number beside an hour is no price.
      const next = line[to]?.text ?? ''
      const isBroken = line.slice(from + 1, to).some((token) => token.breaks !== '')
      return isBroken ? undefined : money('rate', groups?.amount, /^(of|with)$/.test(next) ? 1500 : 500)
    })
  line = claim(line, NAMED_RATE, '@money', ({ groups }) => money('rate', groups?.amount, 0))
  line = claim(line, TOTAL, '@money', ({ groups }) =>
    money('total', groups?.amount ?? groups?.after ?? groups?.whole, 500),
  )
  line = claim(line, PAID_FOR, '@money', ({ groups, 0: text }) =>
    text.startsWith('for') && !isClear(groups?.amount) ? undefined : money('total', groups?.amount, 500),
  )
  line = claim(line, PAID, '@money', ({ groups }) =>
    money('paid', groups?.amount, isClear(groups?.amount) ? 0 : 1000),
  )
  line = claim(line, SO, '@money', ({ groups }) => money('paid', groups?.amount, 1000))
  line = claim(line, AT, '@money', ({ groups }) =>
    groups?.clear === undefined
      ? /^(?:[1-9]|1[0-2]) [0-5][0-9]$/.test(groups?.plain ?? '')
        ? undefined
        : money('at', groups?.plain, 1500)
      : money('at', groups.clear),
  )
  line = claim(line, AT_SIGN, '@money', ({ groups }, { from }) =>
    line[from]?.end === (line[from]?.start ?? 0) + 1 ? money('at', groups?.amount, 1500) : undefined,
  )
  line = claim(line, BARE, '@money', ({ groups }) => money('bare', groups?.amount, 500))
  // 'Fifty an hour, no, forty': the number behind words of correcting is what the one before them was.
  line = claim(line, AGAIN, '@money', ({ groups }, { from }) => {
    const before = line.slice(0, from).findLast((token) => token.text === '@money')?.said as
      SaidMoney | undefined
    return before === undefined || before.amount === 0 || /^(?:fee|usual|share|shift|off)$/.test(before.kind)
      ? undefined
      : money(before.kind, groups?.amount, 1000)
  })
  const isPriced = (): boolean =>
    line.some(
      ({ said }) => (said as SaidMoney | undefined)?.slot === 'money' && (said as SaidMoney).kind !== 'fee',
    )
  if (!isPriced() && line.some(({ text }) => /^(?:hour|minute|@minutes)$/.test(text)))
    line = claim(line, PLAIN_FOR, '@money', ({ groups }, { from, to }) => {
      // A number as an entry of its own, or with its reason: ', fifty because of the snow'.
      const ends =
        (line[to]?.breaks ?? '.') !== '' ||
        /^(?:because|since|cause|as|plus|instead|this|@money)$/.test(line[to]?.text ?? '')
      if (
        groups?.alone !== undefined &&
        (line[from]?.breaks === '' ||
          !ends ||
          /[0-9]/.test(`${line[from - 1]?.text ?? ''}${line[to]?.text ?? ''}`))
      )
        return undefined
      return money('at', groups?.amount ?? groups?.amount2 ?? groups?.each ?? groups?.alone, 2000)
    })
  // A number alone at the very end ('... Monday chemistry 55') can only be the price.
  return isPriced()
    ? line
    : claim(
        line,
        phrase(`
    (?<!(?:^| )(?:and|of|out|than|about|p|pp|pg|ex|no|q|qs|ch|pages|problem|problems|question|questions|exercise|number|line|verse|read|did|solved|answered|missed|wrote|times|grade|level|scored|score|got|reached|chapter|page|room|unit|lesson|book|number|to|[0-9.]+) |algebra |math |calculus |a |
    the )(?<amount>[0-9]{2,3}(?: [1-9][0-9]|[.][0-9]{2})?)(?=$)`),
        '@money',
        ({ groups }, { from }) => {
          // 'An hour thirty' is a time, 'an hour, thirty' a price.
          const said = Number.parseInt(groups?.amount ?? '', 10)
          if (line[from - 1]?.text === 'hour' && line[from]?.breaks === '' && said < 60 && said % 5 === 0)
            return undefined
          // 'Ninety minutes, no, sixty' takes back a time.
          if (
            / (?:no|nope|nah|sorry|wait|i mean|actually|make that|no sorry|no wait|or rather)$/.test(
              line
                .slice(Math.max(0, from - 7), from)
                .map(({ text }) => text)
                .join(' '),
            )
          )
            return undefined
          const dollars = Number.parseInt(groups?.amount ?? '', 10)
          return dollars >= 20 && dollars <= 300 ? money('bare', groups?.amount) : undefined
        },
      )
}

/** Cents for an hour, in the middle of what tutors take. */
const COMMON_RATE = 5500

/** The rate for an hour that an amount means, given the time and the tutor's usual rate; null where it means none. */
export function rateOf(said: SaidMoney, minutes: Minutes | null, usual: Cents | null): Cents | null {
  if (said.kind === 'fee' || said.kind === 'usual') return null
  if (said.kind === 'shift' || said.kind === 'off')
    return usual === null || (said.kind === 'off' && minutes !== 60)
      ? null
      : bounded(usual + (said.kind === 'off' ? -said.amount : said.amount))
  if (said.kind === 'share') return usual === null ? null : bounded(usual * said.amount)
  if (said.kind === 'rate' || said.amount === 0) return bounded(said.amount)
  const divided = minutes === null || minutes === 0 ? null : perHour(said.amount, minutes)
  if (said.kind === 'total' || (minutes === null && said.kind !== 'at')) return divided
  // Neither 'an hour' nor 'in total' was said: the reading that gives the tutor's usual rate is the right one.
  if (usual !== null && said.amount === usual) return usual
  if (usual !== null && divided === usual) return usual
  if (said.kind === 'paid') return divided
  // The reading that lies nearer to the usual rate, by ratio; without one, to what such an hour commonly costs.
  const typical = usual || COMMON_RATE
  const isTotal =
    divided !== null &&
    (usual !== null || said.kind === 'bare') &&
    Math.abs(Math.log(divided / typical)) < Math.abs(Math.log(said.amount / typical))
  return isTotal ? divided : bounded(said.amount)
}

/** Whether an amount could be a rate as well as a total, and only the tutor's usual rate or nothing tells which. */
export function isAmbiguous(said: SaidMoney, minutes: Minutes | null, usual: Cents | null): boolean {
  const isOpen = said.kind === 'bare' || said.kind === 'at' || said.kind === 'paid'
  return isOpen && said.amount > 0 && minutes !== 60 && rateOf(said, minutes, usual) !== usual
}

/** A total as a rate, only where the rate gives the total back to the cent. */
function perHour(total: number, minutes: Minutes): Cents | null {
  const rate = bounded(Math.round((total * 60) / minutes))
  return rate !== null && priceOf(rate, minutes) === total ? rate : null
}

function bounded(amount: number): Cents | null {
  const whole = Math.round(amount)
  return whole >= 0 && whole <= MAX_RATE ? cents(whole) : null
}

/** Cents of an amount as it was said. */
function amountOf(text: string): number | undefined {
  const plain = text
    .replaceAll(/[$]|dollars|euros|euro|pounds|quid|cents|and(?! a half)/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
  const half = plain.endsWith(' and a half') ? 50 : 0
  const [first = '', second, third] = plain.replace(/ and a half$/, '').split(' ')
  const dollars = Math.round(Number(first) * 100)
  if (!Number.isSafeInteger(dollars)) return undefined
  if (second === 'oh') return dollars * 100 + Number(third) * 100
  if (second === undefined) return dollars + half
  const small = Number(second)
  if (third !== undefined) return dollars * 100 + small * 100 + Number(third)
  const isHundreds = Number(first) < 10 && small >= 10 && !/[$]|dollars .*[0-9]|cents/.test(text)
  return isHundreds ? dollars * 100 + small * 100 : dollars + small
}
