// Written by `npm run generate:client` from the OpenAPI document of the service.
import type { Method } from "../method.ts";

export interface Api {
  /** Answer a question from facts. Answers without a model. `routed` is false if it is not a question about facts. Permission: `read`. `POST /v1/answer` */
  answer: Method<"facts.answer">;
  /** Build the context of the next reply. The relevant knowledge for the next reply, as a block of text to put before the conversation. Permission: `read`. `POST /v1/context` */
  context: Method<"context.build">;
  /** Preview extraction. Shows what would be extracted from messages. Stores nothing. Permission: `read`. `POST /v1/extract` */
  extract: Method<"extraction.preview">;
  /** Search. Finds what the user may see in the named session or project, best first. Permission: `read`. `POST /v1/search` */
  search: Method<"search.query">;
  audit: {
    /** Erase the content of audit rows. The rows and the hash chain are kept. A session, a project and a user may have the same id: objectKind says which one is meant. Permission: `admin`. `POST /v1/audit/erase` */
    erase: Method<"audit.erase">;
    /** Export the audit log. All rows and seals as JSON Lines, oldest first. Permission: `admin`. `GET /v1/audit/export` */
    export: Method<"audit.export">;
    /** List changes. Who changed what, newest first. Permission: `admin`. `GET /v1/audit` */
    list: Method<"audit.list">;
    /** Verify the hash chain. Seals new rows and recomputes the hash chain. Permission: `admin`. `GET /v1/audit/verify` */
    verify: Method<"audit.verify">;
  };
  chat: {
    /** Complete a chat, with memory. Sends the conversation to the tenant's model server with a block of relevant memory put before it, passes the answer on unchanged, and stores both. OpenAI-compatible. Permission: `write`. `POST /v1/chat/completions` */
    complete: Method<"chat.complete">;
  };
  doctor: {
    /** Check the stored data. Checks invariants, such as that every row is in its index. Permission: `admin`. `GET /v1/doctor` */
    check: Method<"doctor.check">;
    /** Repair the stored data. Repairs violations that need no decision by a person. Permission: `admin`. `POST /v1/doctor` */
    repair: Method<"doctor.repair">;
  };
  embeddings: {
    /** Create embeddings. Sends the texts to the tenant's model server and passes the answer on unchanged. Nothing is read from memory or stored. OpenAI-compatible. Permission: `write`. `POST /v1/embeddings` */
    create: Method<"embeddings.create">;
  };
  entities: {
    /** Add an entity. Stores an entity of a project, or adds to the one with the same type and name. Permission: `write`. `POST /v1/entities` */
    add: Method<"entities.add">;
    /** Delete an entity. The user must belong to its project. Permission: `write`. `DELETE /v1/entities/{entityId}` */
    delete: Method<"entities.delete">;
    /** Read an entity. An entity of the user's current project. The ETag is its version. Permission: `read`. `GET /v1/entities/{entityId}` */
    get: Method<"entities.get">;
    /** List entities. The entities of the user's current project, the last mentioned first. Permission: `read`. `GET /v1/entities` */
    list: Method<"entities.list">;
    /** List mentions of an entity. The episodes that mention it and that the user may see, the latest first. Permission: `read`. `GET /v1/entities/{entityId}/mentions` */
    listMentions: Method<"entities.listMentions">;
    /** Move an entity to another project. The user must belong to both projects. Permission: `write`. `POST /v1/entities/{entityId}/retag` */
    retag: Method<"entities.retag">;
    /** Move entities to another project. The user must belong to both projects. Permission: `write`. `POST /v1/entities/retag` */
    retagMany: Method<"entities.retagMany">;
    /** Search entities. Searches the entities of the user's current project, best first. Permission: `read`. `POST /v1/entities/search` */
    search: Method<"entities.search">;
    /** Change an entity. The user must belong to its project. Permission: `write`. `PATCH /v1/entities/{entityId}` */
    update: Method<"entities.update">;
  };
  episodes: {
    /** Store messages. Stores one episode, or up to 100. The very next search finds them by their words. The session and the user are created if they do not exist. What a message explicitly asks to be forgotten is hidden before the answer, which says so in `forgot`. Permission: `write`. `POST /v1/sessions/{sessionId}/episodes` */
    append: Method<"episodes.append">;
    /** Delete an episode. The user must take part in the session. Permission: `write`. `DELETE /v1/sessions/{sessionId}/episodes/{episodeId}` */
    delete: Method<"episodes.delete">;
    /** Read an episode. An episode with its messages. Permission: `read`. `GET /v1/sessions/{sessionId}/episodes/{episodeId}` */
    get: Method<"episodes.get">;
    /** Read the history of a session. Episodes in the order in which they were stored. Permission: `read`. `GET /v1/sessions/{sessionId}/episodes` */
    list: Method<"episodes.list">;
  };
  erasures: {
    /** Read an erasure. How far it has come, and when it has ended its receipt. Permission: `read`. `GET /v1/erasures/{erasureId}` */
    get: Method<"erasures.get">;
    /** List erasures. The tenant's erasures, newest first, without their receipts. Permission: `admin`. `GET /v1/erasures` */
    list: Method<"erasures.list">;
    /** Erase a user, a session, a project or a source. Starts a job that erases it from every store, and ends with a signed receipt. With `dryRun` it counts. A user is erased with the permission `admin` only. Permission: `write`. `POST /v1/erasures` */
    start: Method<"erasures.start">;
    /** Verify a receipt. Checks the signature and the audit log, and counts again in every store what is left now. Permission: `read`. `POST /v1/erasures/{erasureId}/verify` */
    verify: Method<"erasures.verify">;
  };
  exports: {
    /** Export a user or the tenant. Everything that belongs to a user, or with a key with `admin` and without `userId` to the tenant, as JSON Lines. Permission: `read`. `GET /v1/exports` */
    read: Method<"exports.read">;
  };
  facts: {
    /** Add facts. Stores one fact, or up to 100 in one place. The newer value of a rank wins. Permission: `write`. `POST /v1/facts` */
    add: Method<"facts.add">;
    /** Delete facts. The user's facts of a topic, or one rank, in one place. Permission: `write`. `DELETE /v1/facts` */
    delete: Method<"facts.delete">;
    /** Read a fact. The fact of a rank that is visible in the named session or project. Permission: `read`. `GET /v1/facts/{topic}/{rank}` */
    get: Method<"facts.get">;
    /** List facts. The user's facts that are visible in the named session or project, by topic and rank. Permission: `read`. `GET /v1/facts` */
    list: Method<"facts.list">;
  };
  forgettings: {
    /** List what was forgotten. What the user asked to be forgotten, in talk or by deleting memories, newest first, as long as it can be undone: counts and times, never the words. Permission: `read`. `GET /v1/forgettings` */
    list: Method<"forgettings.list">;
    /** Undo a forgetting. Brings back the memories, the words in their places and the values of lists, for 30 days. Permission: `write`. `POST /v1/forgettings/{forgettingId}/undo` */
    undo: Method<"forgettings.undo">;
  };
  health: {
    /** Check every dependency. Stores, indexes, finds and deletes test data, and names each dependency that does not work. Permission: `admin`. `GET /v1/health/deep` */
    deep: Method<"health.deep">;
    /** Check that the service answers. Touches neither the database nor any other service. Needs no key. `GET /v1/health` */
    get: Method<"health.get">;
  };
  imports: {
    /** Send a part of an export. Stores conversations, as the export has them, as private sessions of the user, with their titles and times. Sent again, it adds nothing. Permission: `write`. `POST /v1/imports/{importId}/parts` */
    addPart: Method<"imports.addPart">;
    /** End an import. Ends an import and answers its report. Permission: `write`. `POST /v1/imports/{importId}/finish` */
    finish: Method<"imports.finish">;
    /** Read an import. An import with its report so far. Permission: `read`. `GET /v1/imports/{importId}` */
    get: Method<"imports.get">;
    /** List imports. The imports of the user, newest first. Permission: `read`. `GET /v1/imports` */
    list: Method<"imports.list">;
    /** Begin an import. Begins to import an export of ChatGPT, Claude or Gemini, or message arrays of OpenAI's form, for a user. A file that was imported before answers that import, with `repeated`. Permission: `write`. `POST /v1/imports` */
    start: Method<"imports.start">;
  };
  jobs: {
    /** Read a job. A job with its attempts, its result and, if it failed, the reason. Permission: `read`. `GET /v1/jobs/{jobId}` */
    get: Method<"jobs.get">;
    /** List background jobs. The tenant's jobs, newest first. Permission: `read`. `GET /v1/jobs` */
    list: Method<"jobs.list">;
    /** Run a job again. Resets the attempts of a failed or waiting job and runs it now. Permission: `admin`. `POST /v1/jobs/{jobId}/rerun` */
    rerun: Method<"jobs.rerun">;
    /** Run failed jobs again. Resets the attempts of the matching jobs, a bounded number in each call. Permission: `admin`. `POST /v1/jobs/rerun` */
    rerunMany: Method<"jobs.rerunMany">;
  };
  keys: {
    /** Issue a key. The key is in this answer and nowhere else. Permission: `admin`. `POST /v1/keys` */
    create: Method<"keys.create">;
    /** List keys. Newest first. The keys themselves are never shown again. Permission: `admin`. `GET /v1/keys` */
    list: Method<"keys.list">;
    /** Revoke a key. Takes effect everywhere within seconds. Permission: `admin`. `DELETE /v1/keys/{keyId}` */
    revoke: Method<"keys.revoke">;
  };
  lifecycle: {
    /** Rebuild the indexes. Writes the tenant's text index and vectors again from its rows, in jobs, while it serves. Permission: `admin`. `POST /v1/lifecycle/rebuild` */
    rebuild: Method<"lifecycle.rebuild">;
    /** Run upkeep now. Runs upkeep tasks, or with `dryRun` shows what they would do. Permission: `admin`. `POST /v1/lifecycle` */
    run: Method<"lifecycle.run">;
  };
  memories: {
    /** Add memories. Stores one memory, or up to 100 in one batch: all or none. A memory that is stored already is not stored twice. Permission: `write`. `POST /v1/memories` */
    add: Method<"memories.add">;
    /** Approve a memory. Approves a memory that waits for review, for its owner or with the permission `admin`. The named fields are changed first. Permission: `write`. `POST /v1/memories/{memoryId}/approve` */
    approve: Method<"memories.approve">;
    /** Delete a memory. For its owner, or a participant of its group. The user's own words that it was learned from are redacted, and what else was learned from them goes too. It can be restored for 30 days. Permission: `write`. `DELETE /v1/memories/{memoryId}` */
    delete: Method<"memories.delete">;
    /** Read a memory. A memory that the user may see. The ETag is its version. Permission: `read`. `GET /v1/memories/{memoryId}` */
    get: Method<"memories.get">;
    /** Read the history of a memory. Its earlier versions, and the memories that it replaced. Permission: `read`. `GET /v1/memories/{memoryId}/history` */
    history: Method<"memories.history">;
    /** List memories. The memories that the user may see, newest first. Permission: `read`. `GET /v1/memories` */
    list: Method<"memories.list">;
    /** List memories that wait for review. The user's memories that wait for review, newest first. With the permission `admin` and no user, those of the whole tenant. Permission: `read`. `GET /v1/memories/review` */
    listReview: Method<"memories.listReview">;
    /** Reject a memory. Rejects a memory that waits for review, for its owner or with the permission `admin`. Permission: `write`. `POST /v1/memories/{memoryId}/reject` */
    reject: Method<"memories.reject">;
    /** Restore a deleted memory. A deleted memory can be restored for 30 days, with the words that were redacted with it. Permission: `write`. `POST /v1/memories/{memoryId}/restore` */
    restore: Method<"memories.restore">;
    /** Review memories. Approves, changes or rejects up to 50 memories, for their owner or with the permission `admin`. Permission: `write`. `POST /v1/memories/review` */
    review: Method<"memories.review">;
    /** Change a memory. For its owner, or a participant of its group. The old version is kept in its history. Permission: `write`. `PATCH /v1/memories/{memoryId}` */
    update: Method<"memories.update">;
  };
  models: {
    /** Get a model. One of the listed models, by the model server's name or the tenant's own. The name may contain slashes, encoded or not. OpenAI-compatible. Permission: `read`. `GET /v1/models/{model}` */
    get: Method<"models.get">;
    /** List models. The models of the tenant's model server, and the tenant's own names for them. OpenAI-compatible. Permission: `read`. `GET /v1/models` */
    list: Method<"models.list">;
  };
  people: {
    /** Add a person. Adds a person who is not a user of the app. Permission: `write`. `POST /v1/people` */
    add: Method<"people.add">;
    /** Add an alias. As the person, or as the user who added them. Permission: `write`. `PUT /v1/people/{personId}/aliases/{alias}` */
    addAlias: Method<"people.addAlias">;
    /** Read a person. Any person of the tenant. Relationship and notes are shown to the person's creator and to the person only. Permission: `read`. `GET /v1/people/{personId}` */
    get: Method<"people.get">;
    /** List people. The people with a name, or those whom the user added, newest first. Permission: `read`. `GET /v1/people` */
    list: Method<"people.list">;
    /** List memories about a person. The memories about a person that the user may see, from anybody. Permission: `read`. `GET /v1/people/{personId}/memories` */
    listMemories: Method<"people.listMemories">;
    /** Read the user's own person. The person that the user is. Every user has one. Permission: `read`. `GET /v1/people/me` */
    me: Method<"people.me">;
    /** Merge two people. Merges another person into this one. Merging into a user's own person needs the permission `admin`. Permission: `write`. `POST /v1/people/{personId}/merge` */
    merge: Method<"people.merge">;
    /** Remove an alias. As the person, or as the user who added them. Permission: `write`. `DELETE /v1/people/{personId}/aliases/{alias}` */
    removeAlias: Method<"people.removeAlias">;
    /** Undo a merge. A merge can be undone once. Later changes are kept. Permission: `write`. `POST /v1/people/merges/{mergeId}/undo` */
    undoMerge: Method<"people.undoMerge">;
    /** Change a person. As the person, or as the user who added them. Permission: `write`. `PATCH /v1/people/{personId}` */
    update: Method<"people.update">;
  };
  projects: {
    /** Add a member. Members see the whole history of the project. Only the owner may add them. Permission: `write`. `PUT /v1/projects/{projectId}/members/{memberId}` */
    addMember: Method<"projects.addMember">;
    /** Erase a project. The same as POST /v1/erasures of the kind `project`: for its owner. Its sessions leave it and stay. Permission: `write`. `DELETE /v1/projects/{projectId}` */
    erase: Method<"projects.erase">;
    /** Read a project. A project that the user belongs to. Permission: `read`. `GET /v1/projects/{projectId}` */
    get: Method<"projects.get">;
    /** List projects. The projects that the user belongs to, newest first. Permission: `read`. `GET /v1/projects` */
    list: Method<"projects.list">;
    /** Remove a member. Only the owner may remove members. Permission: `write`. `DELETE /v1/projects/{projectId}/members/{memberId}` */
    removeMember: Method<"projects.removeMember">;
    /** Create or rename a project. The user who creates a project owns it. Permission: `write`. `PUT /v1/projects/{projectId}` */
    save: Method<"projects.save">;
  };
  responses: {
    /** Cancel a response that is made in the background. The model server keeps responses, not Edgewise: the request is passed on, with its query. Only for server keys, because the model server does not know which user a response belongs to. OpenAI-compatible. Permission: `write`. `POST /v1/responses/{responseId}/cancel` */
    cancel: Method<"responses.cancel">;
    /** Create a response, with memory. Sends the input to the tenant's model server with a block of relevant memory in `instructions`, passes the answer on unchanged, and stores both. OpenAI-compatible. Permission: `write`. `POST /v1/responses` */
    create: Method<"responses.create">;
    /** Delete a response that the model server keeps. The model server keeps responses, not Edgewise: the request is passed on, with its query. Only for server keys, because the model server does not know which user a response belongs to. OpenAI-compatible. What Edgewise stored of the exchange stays. Permission: `write`. `DELETE /v1/responses/{responseId}` */
    delete: Method<"responses.delete">;
    /** Get a response that the model server keeps. The model server keeps responses, not Edgewise: the request is passed on, with its query. Only for server keys, because the model server does not know which user a response belongs to. OpenAI-compatible. Permission: `read`. `GET /v1/responses/{responseId}` */
    get: Method<"responses.get">;
    /** List the input of a response that the model server keeps. The model server keeps responses, not Edgewise: the request is passed on, with its query. Only for server keys, because the model server does not know which user a response belongs to. OpenAI-compatible. Permission: `read`. `GET /v1/responses/{responseId}/input_items` */
    listInputItems: Method<"responses.listInputItems">;
  };
  sessions: {
    /** Erase a session. The same as POST /v1/erasures of the kind `session`: for the user of a private session; a group of several needs a key with `admin`. Permission: `write`. `DELETE /v1/sessions/{sessionId}` */
    erase: Method<"sessions.erase">;
    /** Read a session. A session that the user takes part in, or one of a project that they belong to. Permission: `read`. `GET /v1/sessions/{sessionId}` */
    get: Method<"sessions.get">;
    /** List sessions. The sessions of the user, or of a project, newest first. Permission: `read`. `GET /v1/sessions` */
    list: Method<"sessions.list">;
    /** Create or change a session. Also moves a session between projects, and changes who takes part in a group. Permission: `write`. `PUT /v1/sessions/{sessionId}` */
    save: Method<"sessions.save">;
    /** Summarize older episodes. Writes memories that summarize and cite a session's older episodes, beyond the newest `keepTokens` tokens. The episodes stay until retention takes them. Permission: `write`. `POST /v1/summarize` */
    summarize: Method<"sessions.summarize">;
  };
  settings: {
    /** Read the settings. The tenant's settings. The ETag is their version. Permission: `admin`. `GET /v1/settings` */
    get: Method<"settings.get">;
    /** Change settings. Fields that are left out stay as they are. Null resets a setting to its default. Permission: `admin`. `PATCH /v1/settings` */
    update: Method<"settings.update">;
  };
  sources: {
    /** Store texts as files. Up to 100 files whose content is in the request, all or none. The same content again changes nothing. Permission: `write`. `POST /v1/sources/{sourceId}/files` */
    addTexts: Method<"sources.addTexts">;
    /** Compare files by their hashes. Which of up to 1,000 files the source has with the same content, so that only the others need to be uploaded. Permission: `read`. `POST /v1/sources/{sourceId}/files/compare` */
    compare: Method<"sources.compare">;
    /** Erase a source. The same as POST /v1/erasures of the kind `source`: for the owner of its project; the library's with the permission `admin`. Permission: `write`. `DELETE /v1/sources/{sourceId}` */
    erase: Method<"sources.erase">;
    /** Read a source. A source with how many files it has, by what became of them. Permission: `read`. `GET /v1/sources/{sourceId}` */
    get: Method<"sources.get">;
    /** Read a file's status. What is known of a file, and what became of its reading. Permission: `read`. `GET /v1/sources/{sourceId}/files/{fileId}` */
    getFile: Method<"sources.getFile">;
    /** List sources. The sources of a project, or, without a project, those of the tenant's library, newest first. Permission: `read`. `GET /v1/sources` */
    list: Method<"sources.list">;
    /** List the files of a source. By path. Permission: `read`. `GET /v1/sources/{sourceId}/files` */
    listFiles: Method<"sources.listFiles">;
    /** Read a file again. For a file that failed or was never read to its end; what was uploaded is kept until it has been read. Permission: `write`. `POST /v1/sources/{sourceId}/files/{fileId}/read` */
    readFile: Method<"sources.readFile">;
    /** Delete a file. Nothing shows it from then on; its passages are deleted by a job. Permission: `write`. `DELETE /v1/sources/{sourceId}/files/{fileId}` */
    removeFile: Method<"sources.removeFile">;
    /** Create or rename a source. A collection of documents: of a project, whose owner writes it, or, without a project, of the tenant's library, which server keys write. Permission: `write`. `PUT /v1/sources/{sourceId}` */
    save: Method<"sources.save">;
    /** List a folder of a source. The folders and files directly in a folder, by path. Permission: `read`. `GET /v1/sources/{sourceId}/tree` */
    tree: Method<"sources.tree">;
    /** Upload a file. Stores the body, up to 25 MB of any media type, as the file at `path`, in place of the one there; a job reads its text. The same content again changes nothing. Permission: `write`. `PUT /v1/sources/{sourceId}/files` */
    upload: Method<"sources.upload">;
  };
  tokens: {
    /** Make a user token. A token for one user, which a page may hold. It may do no more than the key that makes it, and nothing that needs `admin`. It is in this answer and nowhere else. Permission: `write`. `POST /v1/tokens` */
    create: Method<"tokens.create">;
    /** Revoke user tokens. Refuses the tokens of a user that were issued until now, everywhere within seconds, an identity provider's too. With `everybody`, those of all users, for which the permission `admin` is needed. Permission: `write`. `POST /v1/tokens/revoke` */
    revoke: Method<"tokens.revoke">;
    /** Replace the secret of user tokens. New tokens are signed with a new secret. The one before is accepted for an hour more, and one before that is dropped. Permission: `admin`. `POST /v1/tokens/rotate` */
    rotate: Method<"tokens.rotate">;
  };
  topics: {
    /** Delete a topic. Deletes a topic of the tenant. Facts under its key are kept. Permission: `admin`. `DELETE /v1/topics/{key}` */
    delete: Method<"topics.delete">;
    /** Read a topic. A built-in topic or one of the tenant's own. Permission: `read`. `GET /v1/topics/{key}` */
    get: Method<"topics.get">;
    /** List topics. The built-in topics and the tenant's own, by key. Permission: `read`. `GET /v1/topics` */
    list: Method<"topics.list">;
    /** Create a topic or replace its nouns. The nouns are the words by which a topic is recognised in what users say. Permission: `admin`. `PUT /v1/topics/{key}` */
    save: Method<"topics.save">;
  };
  usage: {
    /** Read the usage. Counts of the tenant's usage by day. Permission: `read`. `GET /v1/usage` */
    get: Method<"usage.get">;
  };
  users: {
    /** Erase a user. The same as POST /v1/erasures of the kind `user`. Permission: `admin`. `DELETE /v1/users/{userId}` */
    erase: Method<"users.erase">;
    /** Read a user. By the app's own id. Permission: `read`. `GET /v1/users/{userId}` */
    get: Method<"users.get">;
    /** Read a user's profile. What is always worth knowing of the user, with sources and what was replaced. It is changed by changing its memories. Permission: `read`. `GET /v1/users/{userId}/profile` */
    profile: Method<"users.profile">;
    /** Create or change a user. Users are also created by the first request that names them. Permission: `write`. `PUT /v1/users/{userId}` */
    save: Method<"users.save">;
  };
}
