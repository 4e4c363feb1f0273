// Everything that someone can do, each as one step that's either done or refused as a whole.
import * as agreement from './agreement.ts'
import * as connections from './connections.ts'
import { close, keepingMonths, reopen, withdraw } from './months.ts'
import { answerPairs } from './pairs.ts'
import * as payments from './payments.ts'
import * as sessions from './sessions.ts'
import type { Outcome, World } from './terms.ts'
import { removePerson, removeTutor } from './workspaces.ts'

/** A command that closed months are protected from (rule 7). */
const kept =
  <Given extends unknown[]>(command: (world: World, ...given: Given) => Outcome) =>
  (world: World, ...given: Given): Outcome =>
    keepingMonths(world, () => command(world, ...given))

export const commands = {
  // Every kind of entry.
  giveAnswer: kept(agreement.giveAnswer),
  accept: kept(agreement.accept),
  reply: kept(agreement.reply),
  remove: kept(agreement.remove),
  keep: kept(agreement.keep),
  // Sessions.
  logSession: kept(sessions.logSession),
  changeSession: kept(sessions.changeSession),
  answerPairs: kept(answerPairs),
  // Payments.
  recordPayment: kept(payments.recordPayment),
  changePayment: kept(payments.changePayment),
  sharePayment: kept(payments.share),
  // Connections.
  ask: kept(connections.ask),
  invite: kept(connections.invite),
  answerLink: kept(connections.answerLink),
  end: kept(connections.end),
  endByMail: kept(connections.endByMail),
  removePerson: kept(removePerson),
  removeTutor: kept(removeTutor),
  // Months.
  close,
  reopen,
  withdraw,
}
