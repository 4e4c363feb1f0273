// Text for emails about a receipt that a family made in its tutor's name.
import { paperNumber } from '#features/papers/content.ts'
import { type Cents, type Currency, formatMoney } from '#kernel/money.ts'
import { plainText } from '#kernel/plain-name.ts'
import type { Words } from './waiting-words.ts'

/** What the transaction that issued or voided a paper wrote down for its email (tell_of_paper in db/repeatable/papers.sql). */
export interface PaperNews {
  link_id: string
  /** The side that is told. */
  side: 'family' | 'practice'
  news: 'issued' | 'voided'
  series: string | null
  year: number
  number: number
  total_cents: Cents
  currency: Currency
  reason: string | null
}

/** @param name who did it, as it appears at the start of a sentence */
export function wordsOfPaper(paper: PaperNews, name: string): Words {
  const number = paperNumber(paper)
  const total = formatMoney(paper.total_cents, paper.currency)
  const whose = paper.side === 'practice' ? 'in your name' : 'in their name'
  if (paper.news === 'voided')
    return {
      subject: `Receipt ${number} is void`,
      paragraphs: [
        [
          `${name} declared receipt ${number} over ${total} void. It was made ${whose}. The reason:`,
          `“${plainText(paper.reason ?? '')}”`,
        ].join('\n'),
        'Its number stays taken, and its code says that it’s void.',
      ],
    }
  return {
    subject: `${name} made a receipt in your name`,
    paragraphs: [
      `${name} made receipt ${number} over ${total} in your name, as you allowed.`,
      'If something isn’t right, tell them. You can stop allowing it at any time.',
    ],
  }
}
