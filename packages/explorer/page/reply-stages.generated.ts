// Made by `npm run docs:options` from the table of stages. Do not edit.

/** The stages that run once there is a reply. */
export const REPLY_STAGES: ReadonlySet<string> = new Set(['preSerialization', 'checkStatus', 'serialize', 'serializeAndJudge', 'onSend', 'write'])
