#include "serve/openapi.hpp"

#include <nlohmann/json.hpp>

namespace banyan::serve {
namespace {

using Json = nlohmann::ordered_json;

Json reference(const std::string& to) { return {{"$ref", "#/components/" + to}}; }

// Numbers may come as texts, and texts that are numbers as numbers: a command line does not tell them apart.
Json schema_of(const ArgumentInfo& argument) {
  Json out;
  if (argument.is_list)
    out = {{"type", "array"}, {"items", {{"type", "string"}}}};
  else if (!argument.choices.empty())
    out = {{"type", "string"}, {"enum", argument.choices}};
  else if (argument.type == "boolean")
    out = {{"type", argument.type}};
  else
    out = {{"type", {argument.type, argument.type == "string" ? "number" : "string"}}};
  out["description"] = argument.meaning;
  return out;
}

Json request_schema(const VerbInfo& verb) {
  Json properties = Json::object(), needed = Json::array();
  for (const ArgumentInfo& argument : verb.arguments) {
    properties[argument.key] = schema_of(argument);
    if (argument.is_needed) needed.push_back(argument.key);
  }
  return {{"type", "object"},
          {"additionalProperties", false},
          {"properties", std::move(properties)},
          {"required", std::move(needed)}};
}

Json schema_of(const std::vector<ask::FieldInfo>& fields);

Json schema_of(const ask::FieldInfo& field) {
  Json out = {{"type", field.dimensions > 0 ? field.items : field.type}};
  if (out["type"] == "integer or string") out["type"] = {"integer", "string"};
  if (field.may_be_null) out["type"] = {out["type"], "null"};  // null: not known
  if (!field.choices.empty()) out["enum"] = field.choices;
  if (!field.fields.empty()) out = schema_of(field.fields);
  for (u32 i = 0; i < field.dimensions; ++i) out = {{"type", "array"}, {"items", std::move(out)}};
  out["description"] = field.meaning;
  if (!field.unit.empty()) out["x-unit"] = field.unit;
  return out;
}

Json schema_of(const std::vector<ask::FieldInfo>& fields) {
  Json properties = Json::object(), needed = Json::array();
  for (const ask::FieldInfo& field : fields) {
    properties[field.name] = schema_of(field);
    if (!field.is_optional) needed.push_back(field.name);
  }
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(needed)}};
}

// Titled by the command that prints it.
Json schema_of(const VerbInfo& verb, const AnswerInfo& answer) {
  const std::string title =
      std::string(verb.name) + (answer.option.empty() ? "" : " --" + std::string(answer.option));
  Json out = {{"title", title}};
  if (answer.has_head) out["allOf"] = Json::array({reference("schemas/AnswerHead")});
  out.update(schema_of(answer.fields));
  return out;
}

Json answer_of(const VerbInfo& verb) {
  if (verb.answers.empty()) return reference("responses/Answer");
  Json results = Json::array();
  for (const AnswerInfo& answer : verb.answers) results.push_back(schema_of(verb, answer));
  const Json result = results.size() == 1 ? results[0] : Json{{"anyOf", std::move(results)}};
  const Json schema = {
      {"allOf", {reference("schemas/Answer"), {{"properties", {{"result", std::move(result)}}}}}}};
  return {{"description", "What the command prints"},
          {"content", {{"application/json", {{"schema", std::move(schema)}}}}}};
}

Json operation_of(const VerbInfo& verb) {
  Json responses = {{"200", answer_of(verb)}};
  for (const auto& [status, what] :
       {std::pair("400", "NotOffered"), std::pair("409", "Cancelled"), std::pair("413", "TooLarge"),
        std::pair("422", "Refused"), std::pair("503", "Full"), std::pair("504", "OutOfTime"),
        std::pair("507", "TooMuch")})
    responses[status] = reference(std::string("responses/") + what);
  return {{"summary", verb.summary},
          {"operationId", verb.name},
          {"parameters", Json::array({reference("parameters/RequestName")})},
          {"requestBody", {{"content", {{"application/json", {{"schema", request_schema(verb)}}}}}}},
          {"responses", std::move(responses)}};
}

}  // namespace

std::string openapi_text(const std::vector<VerbInfo>& verbs) {
  Json document = Json::parse(openapi_text());
  Json paths = Json::object();
  for (const VerbInfo& verb : verbs) paths["/api/" + std::string(verb.name)]["post"] = operation_of(verb);
  for (const auto& [path, item] : document["paths"].items())
    if (!item.contains("post") || path == "/api/files") paths[path] = item;
  document["paths"] = std::move(paths);
  document["components"]["schemas"]["AnswerHead"] = schema_of(ask::fields_of<ask::AnswerHead>());
  return document.dump(2) + '\n';
}

}  // namespace banyan::serve
