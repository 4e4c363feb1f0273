// The server that the walk talks to, the model that it's compared with, and the people.
import assert from 'node:assert/strict'
import pg from 'pg'
import type { Caller as Visitor, TestServer } from '#main/testing.server.ts'
import { startTestServer, withTestRoles } from '#main/testing.server.ts'
import { newWorld, type Account } from '../terms.ts'
import { RandomSteps } from '#main/testing/random-steps.ts'

/** The walk takes as many steps as the suite has time for; scripts/model.mjs takes more. */
export const steps = new RandomSteps(600)
export const world = newWorld()
/** Each account's browser. */
export const visitors = new Map<Account, Visitor>()
/**
 * Accounts that have been erased for good. Having no workspaces isn't enough to tell: an account that left or
 * handed over all of its workspaces still exists.
 */
export const erased = new Set<Account>()
export let server: TestServer
export let superuser: pg.Client

const TODAY = '2026-11-15'
/** The months that have entries. The last one isn't over. */
export const MONTHS = ['2026-08', '2026-09', '2026-10', '2026-11'] as const

export async function start(): Promise<void> {
  server = await startTestServer({ LOG_LEVEL: process.env.MODEL_REPORT ? 'error' : 'silent' })
  server.clock.now = new Date(`${TODAY}T12:00:00Z`)
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  await recordForeignAnswers()
}
export async function stop(): Promise<void> {
  await superuser.end()
  await server.stop()
}
/** The day that many days from now. */
export const day = (offset: number): string =>
  new Date(server.clock.now.getTime() + offset * 86_400_000).toISOString().slice(0, 10)

export async function forgetLimits(): Promise<void> {
  await superuser.query('delete from rate_limits')
}
/** Keeps everyone signed in when the clock moves ahead four weeks. */
export async function staySignedIn(): Promise<void> {
  await superuser.query(
    "update logins set access_expires_at = now() + interval '60 days', active_until = now() + interval '60 days', ends_at = now() + interval '60 days'",
  )
}

/** The columns of a side's answer, by table. */
const ANSWERS = { sessions: ['answer', 'answer_note', 'reply'], payments: ['answer', 'answer_note'] }
/**
 * Records each time one side's answer is changed by the other side, through any function. Three kinds of change
 * are allowed and not recorded: a side's answer may appear or disappear when the side joins or leaves an entry,
 * caregivers may change their own entries, and a side that proposed exactly the new facts has confirmed them.
 */
async function recordForeignAnswers(): Promise<void> {
  const role = withTestRoles('tutorlog_')
  await superuser.query(`create table public.foreign_answers (key bigint, role text, side text);
    grant insert on public.foreign_answers to public`)
  for (const [table, columns] of Object.entries(ANSWERS)) {
    const answerIn = (row: string, side: string) =>
      `(${columns.map((name) => `${row}.${side}_${name}`).join()})`
    const isProposed = (side: string) =>
      `(new.${side}_answer = 'confirmed' and old.${side}_answer_version = old.facts_version and old.${side}_proposal = proposable(new))`
    const isOwnEntry = table === 'sessions' ? 'old.caregiver_id is not distinct from app_account()' : 'false'
    await superuser.query(`
      create function public.watch_${table}() returns trigger language plpgsql as $$
      declare speaks text := replace(current_setting('role', true), '${role}', '');
      begin
        if old.family_id is not null and new.family_id is not null and speaks not in ('family', 'family_link')
          and not (speaks = 'caregiver' and ${isOwnEntry}) and ${answerIn('old', 'family')} is distinct from ${answerIn('new', 'family')}
          and ${isProposed('family')} is not true
          then insert into public.foreign_answers values (new.key, speaks, 'family'); end if;
        if old.practice_id is not null and new.practice_id is not null and speaks not in ('practice', 'link')
          and ${answerIn('old', 'practice')} is distinct from ${answerIn('new', 'practice')}
          and ${isProposed('practice')} is not true
          then insert into public.foreign_answers values (new.key, speaks, 'practice'); end if;
        return null;
      end $$;
      create trigger answers_watched after update on public.${table} for each row execute function public.watch_${table}()`)
  }
}
export async function noForeignAnswers(): Promise<void> {
  const { rows } = await superuser.query('select * from public.foreign_answers')
  assert.deepEqual(rows, [], 'an answer that the other side wrote')
}
