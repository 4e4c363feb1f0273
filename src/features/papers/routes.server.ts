// Routes for a practice's papers, and what their codes say.
import type { FastifyInstance } from 'fastify'
import { formatDay } from '#kernel/calendar-day.ts'
import { dollars, formatMoney } from '#kernel/money.ts'
import { done, refused } from '#kernel/outcome.ts'
import type { Caller, MemberCaller, Services } from '#features/access/admission.server.ts'
import { OUTSIDE, serve, WITHIN } from '#features/access/operation.server.ts'
import { shownCode } from '#features/months/sign-off.ts'
import { readTimeZone } from '#features/workspaces/queries.server.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { asFile } from '#platform/http/files.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { PAPER_KIND_WORDS, paperNumber, typedTexts } from './content.ts'
import {
  declareVoid,
  draftPaper,
  type Drafting,
  fontObstacle,
  issuePaper,
  print,
  refuseObstacle,
  toPaper,
  toPreview,
  unprintable,
  voidedOn,
  wrongIn,
} from './commands.server.ts'
import {
  DownloadPaper,
  DownloadPaperData,
  IssuePaper,
  ListPapers,
  MakeRecord,
  paperFileName,
  PreviewPaper,
  ReadPaperInput,
  recordFileName,
  VoidPaper,
} from './paper.ts'
import { programOf } from './program.ts'
import { AllowPapers, ListPaperPermissions } from './permission.ts'
import { allowPapers, readPermissions, readTypedDetails } from './permission-queries.server.ts'
import { detailsOf, NO_PROVIDER, ReadPaperProvider, SetPaperProvider } from './provider.ts'
import { type KeptPaper, paperOfCode, readPapers, readProvider, saveProvider } from './queries.server.ts'

/** Adds the routes under /api/v1/papers and /api/v1/paper-provider. */
export function addPaperRoutes(app: FastifyInstance, services: Services): void {
  addProvider(app, services)
  addPermissions(app, services)
  addIssuing(app, services)
  addRecord(app, services)
  addIssued(app, services)
}

function addProvider(app: FastifyInstance, services: Services): void {
  serve(app, services, ReadPaperProvider, WITHIN, async ({ tx, workspace }) =>
    done(await readProvider(tx, workspace)),
  )

  serve(app, services, SetPaperProvider, WITHIN, async ({ tx, workspace, input, expectedVersion }) => {
    const saved = await saveProvider(tx, workspace, detailsOf(input), services.now(), expectedVersion)
    return saved ? done(saved) : refused('changed')
  })
}

function addPermissions(app: FastifyInstance, services: Services): void {
  serve(app, services, ListPaperPermissions, async ({ tx, caller }) =>
    done({
      permissions: await readPermissions(caller),
      details:
        caller.isLink && caller.side === 'practice' ? await readTypedDetails(tx, caller.workspace) : null,
    }),
  )

  serve(app, services, AllowPapers, async ({ tx, caller, params, input }) => {
    const { is_allowed: isAllowed } = input
    if (caller.side !== 'practice') throw notFound()
    const details = caller.isLink && input.details ? detailsOf(input.details) : undefined
    if (caller.isLink && isAllowed) {
      const { legal_name: name, address } = details ?? (await readTypedDetails(tx, params.id)) ?? NO_PROVIDER
      if (!name || !address) return refused('details_missing')
    }
    if (!(await allowPapers(caller, params.id, isAllowed, details))) throw notFound()
    return done({ is_allowed: isAllowed })
  })
}

/** A link never drafts a paper. */
async function draftingOf(caller: Caller, accountId: string): Promise<Drafting> {
  if (caller.isLink) throw notFound()
  return { member: caller satisfies MemberCaller, timeZone: await readTimeZone(caller.tx, accountId) }
}

function addIssuing(app: FastifyInstance, services: Services): void {
  serve(app, services, PreviewPaper, OUTSIDE, async ({ user, limitKey, input, readAsCaller }) => {
    const program = programOf(input.program)
    if (!program) return refused('unknown_program')
    const draft = await readAsCaller(async (caller) => {
      const drafting = await draftingOf(caller, user.id)
      return wrongIn(drafting.member, input) ?? draftPaper(drafting, input, program)
    })
    if (typeof draft === 'string') return refused(draft)
    const texts = await unprintable(limitKey, typedTexts(draft.content))
    return done(toPreview({ ...draft, obstacles: [...draft.obstacles, ...fontObstacle(texts)] }))
  })

  serve(
    app,
    services,
    IssuePaper,
    {
      async prepare({ user, limitKey, input, readAsCaller }) {
        const program = programOf(input.paper.program)
        if (!program) return []
        const draft = await readAsCaller(async (caller) => {
          const drafting = await draftingOf(caller, user.id)
          return wrongIn(drafting.member, input.paper)
            ? undefined
            : draftPaper(drafting, input.paper, program)
        })
        return draft ? unprintable(limitKey, typedTexts(draft.content)) : []
      },
    },
    async ({ caller, user, input }, texts: string[]) => {
      const program = programOf(input.paper.program)
      if (!program) return refused('unknown_program')
      return issuePaper(await draftingOf(caller, user.id), {
        input: input.paper,
        program,
        seen: input.seen,
        knownMissing: input.known_missing,
        replaces: input.replaces,
        unprintable: texts,
      })
    },
  )
}

/** A record is made anew each time: nothing is issued, and nothing is stored. */
function addRecord(app: FastifyInstance, services: Services): void {
  serve(app, services, MakeRecord, OUTSIDE, async ({ user, limitKey, input, reply, readAsCaller }) => {
    const program = programOf(input.record.program)
    if (!program) return refused('unknown_program')
    if (input.record.kind !== 'record') return refused('wrong_kind')
    const draft = await readAsCaller(async (caller) => {
      const drafting = await draftingOf(caller, user.id)
      return wrongIn(drafting.member, input.record) ?? draftPaper(drafting, input.record, program)
    })
    if (typeof draft === 'string') return refused(draft)
    const { content } = draft
    const texts = await unprintable(limitKey, typedTexts(content))
    refuseObstacle([...draft.obstacles, ...fontObstacle(texts)])
    const issued = { ...NOT_ISSUED, content }
    const bytes = await print(limitKey, { issued, paper: input.paper })
    asFile(reply, recordFileName(content.child.name), 'application/pdf')
    return done(bytes)
  })
}

/** A record has no number, no code, and can't be void. */
const NOT_ISSUED = { number: '', code: '', url: '', voidedOn: null, voidReason: null, replaces: null }

function addIssued(app: FastifyInstance, services: Services): void {
  serve(app, services, ListPapers, WITHIN, async ({ tx, workspace, member }) =>
    done({ papers: (await readPapers(tx, workspace, member.side)).map(toPaper) }),
  )

  serve(app, services, VoidPaper, WITHIN, async ({ member, params, input }) =>
    declareVoid(member, params.id, input.reason),
  )

  serve(app, services, ReadPaperInput, WITHIN, async ({ tx, workspace, member, params }) => {
    const [kept] = await readPapers(tx, workspace, member.side, params.id)
    if (!kept) throw notFound()
    return done(inputOf(kept))
  })

  serve(
    app,
    services,
    DownloadPaper,
    OUTSIDE,
    async ({ user, workspace, limitKey, params, input, reply, readAsCaller }) => {
      const read = await readAsCaller(async ({ tx, side }) => ({
        kept: (await readPapers(tx, workspace, side, params.id))[0],
        timeZone: await readTimeZone(tx, user.id),
      }))
      const { kept } = read
      if (!kept) throw notFound()
      const issued = {
        number: paperNumber(kept),
        code: shownCode(kept.code),
        url: `${services.baseUrl}/verify`,
        content: kept.content,
        voidedOn: kept.voided_at && voidedOn(kept.voided_at, read.timeZone),
        voidReason: kept.void_reason,
        replaces: kept.replaces && paperNumber(kept.replaces),
      }
      const bytes = await print(limitKey, { issued, paper: input.paper })
      asFile(reply, paperFileName(toPaper(kept), 'pdf'), 'application/pdf')
      return done(bytes)
    },
  )

  serve(app, services, DownloadPaperData, async ({ tx, workspace, member, params, reply }) => {
    const [kept] = await readPapers(tx, workspace, member.side, params.id)
    if (!kept) throw notFound()
    asFile(reply, paperFileName(toPaper(kept), 'json'), 'application/json; charset=utf-8')
    return done(JSON.stringify(dataOf(kept), null, 2))
  })
}

/** What was typed for a paper. */
function inputOf({ student_id, tutor_id, kind, content }: KeptPaper) {
  const { payer, child, lessons } = content
  return {
    student_id,
    tutor_id,
    kind,
    program: content.program,
    from: content.from,
    to: content.to,
    payer_name: payer.name,
    payer_address: payer.address,
    child_name: child.name,
    program_number: child.program_number,
    learning_goal: content.learning_goal,
    letter_on: content.letter_on,
    group: content.group,
    group_share: content.group_share,
    is_unrelated: content.is_unrelated,
    is_reviewed: content.is_reviewed,
    due_on: content.due_on,
    note: content.note,
    places: lessons.flatMap(({ id, place }) => (place ? [{ session_id: id, place }] : [])),
  }
}

/** The paper's data as a file: what it says, with amounts in the currency's main unit. */
function dataOf(kept: KeptPaper) {
  const { content } = kept
  const withAmounts = <Row extends { amount_cents: number | null }>({
    amount_cents: amount,
    ...row
  }: Row) => ({
    ...row,
    amount: amount === null ? null : amount / 100,
  })
  const { sums, vat_cents: vat } = content
  return {
    number: paperNumber(kept),
    code: shownCode(kept.code),
    voided_at: kept.voided_at?.toISOString() ?? null,
    void_reason: kept.void_reason,
    replaces: kept.replaces && paperNumber(kept.replaces),
    replaced_by: kept.replaced_by && paperNumber(kept.replaced_by),
    ...content,
    lessons: content.lessons.map(withAmounts),
    charges: content.charges.map(withAmounts),
    payments: content.payments.map(withAmounts),
    sums: Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, dollars(amount)])),
    vat_cents: undefined,
    vat: vat === null ? null : dollars(vat),
  }
}

/** What /verify shows for a paper's code. No names: whoever holds the code holds the paper. */
interface PaperFacts {
  title: string
  subtitle: string
  text: string
  figures: [label: string, figure: string][]
}

function wordsOfCode(isVoid: boolean, isByFamily: boolean): string {
  if (isVoid)
    return `${isByFamily ? 'The family or the provider' : 'Its provider'} declared it void. Ask for the one that replaces it.`
  return isByFamily
    ? 'A family issued it with Tutorlog in the provider’s name, as the provider allowed. Nobody has changed it since: an issued paper can’t be changed.'
    : 'Its provider issued it with Tutorlog and hasn’t changed it since: an issued paper can’t be changed.'
}

/** What a paper's code says; undefined if no paper has it. Read as the system. */
export async function checkPaper(tx: Tx, code: string): Promise<PaperFacts | undefined> {
  const found = await paperOfCode(tx, code)
  if (!found) return undefined
  const { content, voided_at: voided } = found
  const { sums, currency, lessons, issued_on: issuedOn } = content
  const kind = PAPER_KIND_WORDS[found.kind]
  const date = { month: 'short', day: 'numeric', year: 'numeric' } as const
  return {
    title: voided ? `This ${kind.toLowerCase()} is void` : `This ${kind.toLowerCase()} is genuine`,
    subtitle: `${kind} ${paperNumber(found)}, issued on ${formatDay(issuedOn, date)}`,
    text: wordsOfCode(Boolean(voided), content.is_by_family === true),
    figures: [
      ['Lessons', String(lessons.length)],
      ['Total', formatMoney(sums.total, currency)],
      ['Paid', formatMoney(sums.paid, currency)],
      ['Due', formatMoney(sums.due, currency)],
    ],
  }
}
