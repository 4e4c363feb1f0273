// Restores a backup for trial in a process of its own, whose priority its database inherits (platform/task-entry).
import { serveTasks } from '#platform/task-process.server.ts'
import { drill } from './restore-commands.server.ts'

serveTasks(drill)
