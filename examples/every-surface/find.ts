import { Edgewise } from "@edgewise/client";

const { EDGEWISE_URL = "http://127.0.0.1:8787", EDGEWISE_KEY = "" } = process.env;

const edgewise = new Edgewise({ baseUrl: EDGEWISE_URL, token: EDGEWISE_KEY });
const { hits } = await edgewise.search({ userId: "alice", query: "What may Alice not eat?" });
for (const { kind, content } of hits) console.log(`${kind}: ${content}`);
